"""A deployment of one study in this process: its driver is asked as the daemon asks it, and the runs that it wants are executed at once."""

import dagster as dg

from research_pipeline.definitions import definitions_of
from resources.dagster_home import open_instance
from resources.stores import ResearchHome
from resources.studies import load_study


class Deployment:
    """The driver of a study on a home, and what it asked for so far: `runs`, each as its job's part and its keys."""

    def __init__(self, home, study):
        self.study = load_study(study)
        self.instance = open_instance(home)
        self.runs = []
        self.said = []
        self._home = home
        self._definitions = definitions_of([self.study])
        self._cursor = None
        self._names = set()

    def job(self, part, *, config=None, **how):
        """The result of a job of the study, executed in this process."""
        resources = {"research": {"config": {"path": str(self._home.path)}}}
        run_config = {**(config or {}), "resources": resources, "loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
        job = self.definition(part)
        return job.execute_in_process(instance=self.instance, run_config=run_config, raise_on_error=False, **how)

    @property
    def repository(self):
        return self._definitions.get_repository_def()

    def definition(self, part):
        return self._definitions.resolve_job_def(f"{self.study.name}_{part}")

    def status(self, asset):
        """How Dagster shows the partitions of an asset: key → status."""
        keys = self.instance.get_dynamic_partitions(self.study.name)
        found = self.instance.get_status_by_partition(
            dg.AssetKey([self.study.name, asset]), keys, dg.DynamicPartitionsDefinition(name=self.study.name)
        )
        return {key: status.name for key, status in found.items() if status}

    def tick(self, moment):
        """What the schedule answers for a slot."""
        resources = {"research": ResearchHome(path=str(self._home.path))}
        asked = {"scheduled_execution_time": moment, "repository_def": self.repository, "resources": resources}
        with dg.build_schedule_context(self.instance, **asked) as context:
            return self.repository.get_schedule_def(f"{self.study.name}_schedule").evaluate_tick(context)

    def look(self):
        """What the driver answers to one look; nothing of it is done yet."""
        repository = self.repository
        sensor = repository.get_sensor_def(f"{self.study.name}_driver")
        resources = {"research": ResearchHome(path=str(self._home.path))}
        with dg.build_sensor_context(self.instance, self._cursor, repository_def=repository, resources=resources) as context:
            result = sensor(context)
        self._cursor = result.cursor
        for request in result.dynamic_partitions_requests or ():
            self.instance.add_dynamic_partitions(request.partitions_def_name, request.partition_keys)
        if result.skip_reason:
            self.said.append(result.skip_reason.skip_message)
        return result

    def step(self):
        """One look, and the runs that it asks for; whether there were any."""
        requests = [request for request in self.look().run_requests or () if request.run_key not in self._names]
        for request in requests:
            self._names.add(request.run_key)
            part = request.job_name.removeprefix(f"{self.study.name}_")
            self.runs.append((part, request.partition_key or request.tags.get("vendor", "")))
            started_by = {"dagster/sensor_name": f"{self.study.name}_driver"}
            self.job(part, config=request.run_config, tags={**request.tags, **started_by}, partition_key=request.partition_key)
        return bool(requests)

    def until_quiet(self, *, looks=30):
        """Steps until three looks in a row ask for nothing."""
        quiet = 0
        for _ in range(looks):
            quiet = 0 if self.step() else quiet + 1
            if quiet == 3:
                return self.said[-1]
        raise AssertionError(f"the driver comes to no end: {self.runs}")
