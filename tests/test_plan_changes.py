"""What a plan asks otherwise than another did."""

from research_pipeline.plan_changes import plan_changes
from research_pipeline.planning import plan_of
from research_pipeline.study import Study
from tests.small_site import STUDY


def plan(**changes):
    return plan_of(Study.model_validate({**STUDY, **changes}), name="acme")


def test_the_same_plan_has_no_changes():
    assert plan_changes(plan(), plan()) == ()


def test_every_field_that_differs_is_a_line():
    first, second, third = STUDY["sub_questions"]
    asked = [{**first, "text": "How long are Acme's audit logs kept?"}, third, {**second, "id": "acme.burst"}]

    lines = plan_changes(plan(), plan(sub_questions=asked, limits={"max_pages": 30}, approval="required"))

    assert lines == (
        "sub-question acme.burst: added",
        "sub-question acme.rate: dropped",
        "sub-question acme.audit.text: How long does Acme keep audit logs on the Business plan? → How long are Acme's audit logs kept?",
        "approval: automatic → required",
        "limits.max_pages: 15 → 30",
    )


def test_another_order_is_a_change_since_the_hash_is_another():
    lines = plan_changes(plan(), plan(sub_questions=STUDY["sub_questions"][::-1]))

    assert lines == ("sub-questions: in another order",)
