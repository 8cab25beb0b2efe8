"""How many research runs work at once is the limit of a pool, which is there before the first of them."""

from resources.dagster_home import POOL, limit_pool, open_instance


def limits(home):
    with open_instance(home) as instance:
        return {pool.name: pool.limit for pool in instance.event_log_storage.get_pool_limits()}


def test_the_pool_has_its_limit_before_a_run_starts_and_keeps_the_one_that_a_person_set(research):
    limit_pool(research.home)
    assert limits(research.home) == {POOL: 4}

    with open_instance(research.home) as instance:
        instance.event_log_storage.set_concurrency_slots(POOL, 2)
    limit_pool(research.home)

    assert limits(research.home) == {POOL: 2}
