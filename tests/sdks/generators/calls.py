"""Sixteen typical calls with the client of openapi-python-client."""

import os
from typing import TypeVar

from client import AuthenticatedClient
from client.api.decisions import (
    create_decision,
    delete_decision,
    get_decision,
    get_decision_facets,
    get_decision_quality,
    list_decision_history,
    list_decisions,
    put_decision_by_external_id,
    update_decision,
)
from client.api.metrics import get_metrics
from client.api.nodes import create_node, list_nodes
from client.api.search import search
from client.api.this_api import whoami
from client.api.threads import post_message
from client.api.workflows import create_workflow
from client.models import (
    DecisionCreate,
    DecisionPut,
    DecisionUpdate,
    DecisionUpdateOutcome,
    Error,
    ListDecisionsStatusItem,
    MessageCreate,
    NodeCreate,
    NodeCreateType,
    WorkflowCreate,
)

client = AuthenticatedClient(base_url=os.environ["WAYMARK_URL"], token=os.environ["WAYMARK_API_KEY"])
T = TypeVar("T")


def data_of(answer: T | Error | None) -> T:
    if answer is None or isinstance(answer, Error):
        raise RuntimeError(answer and answer.error)
    return answer


def say(name: str, value: object) -> None:
    print(name, getattr(value, "value", value))


say("whoami", data_of(whoami.sync(client=client)).auth_type)
body = DecisionCreate(title="Generate the client", tags=["clients"])
created = data_of(create_decision.sync(client=client, body=body))
say("createDecision", created.status)
say("getDecision", data_of(get_decision.sync(created.id, client=client)).title)
statuses = [ListDecisionsStatusItem.PROPOSED, ListDecisionsStatusItem.ACCEPTED]
page = data_of(list_decisions.sync(client=client, status=statuses, overdue=False, limit=10))
say("listDecisions", len(page.decisions))
change = DecisionUpdate(outcome=DecisionUpdateOutcome.SUCCESS)
say("updateDecision", data_of(update_decision.sync(created.id, client=client, body=change)).outcome)
say("getDecisionQuality", data_of(get_decision_quality.sync(created.id, client=client)).model)
content = DecisionPut(question="Which generator?", decision_type="architecture")
put = data_of(put_decision_by_external_id.sync("ADR-1", client=client, body=content))
say("putDecisionByExternalId", put.external_id)
say("listDecisionHistory", len(data_of(list_decision_history.sync(created.id, client=client)).data))
say("getDecisionFacets", data_of(get_decision_facets.sync(client=client, decision_type="architecture")).total)
workflow = data_of(create_workflow.sync(client=client, body=WorkflowCreate(title="Choose a generator")))
say("createWorkflow", str(workflow.acyclic).lower())
task = NodeCreate(workflow_id=workflow.id, type_=NodeCreateType.TASK, title="Try it", position_x=0, position_y=0)
node = data_of(create_node.sync(client=client, body=task))
say("createNode", node.status)
say("listNodes", len(data_of(list_nodes.sync(client=client, workflow_id=workflow.id)).data))
posted = data_of(post_message.sync(node.id, client=client, body=MessageCreate(content="It compiles.")))
say("postMessage", posted.message.content)
say("search", len(data_of(search.sync(client=client, q="nowhere")).decisions))
say("getMetrics", data_of(get_metrics.sync(client=client)).decisions_total)
say("deleteDecision", delete_decision.sync_detailed(created.id, client=client).status_code.value)


def wrong() -> None:
    """Only checked by mypy, which reports an ignore that nothing needs."""
    DecisionCreate(titel="x")  # type: ignore[call-arg]
    DecisionCreate(outcom="success")  # type: ignore[call-arg]
    DecisionCreate(title="x", outcom="success")  # type: ignore[call-arg]
    DecisionCreate(title=3)  # type: ignore[arg-type]
    DecisionUpdate(outcom="success")  # type: ignore[call-arg]
    DecisionUpdate(outcome="success")  # type: ignore[arg-type]
    create_decision.sync(client=client)  # type: ignore[call-arg]
