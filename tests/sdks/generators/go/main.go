// Sixteen typical calls with the client of oapi-codegen.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"reflect"

	"example.com/calls/client"
)

// say prints a value, or what it points to.
func say(name string, value any) {
	fmt.Println(name, reflect.Indirect(reflect.ValueOf(value)))
}

// must returns the answer of a call. A refused call has no record in it, which stops the program.
func must[T any](answer T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return answer
}

func to[T any](value T) *T { return &value }

func main() {
	ctx := context.Background()
	api := must(client.NewClientWithResponses(os.Getenv("WAYMARK_URL"), client.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("WAYMARK_API_KEY"))
			return nil
		})))

	say("whoami", must(api.WhoamiWithResponse(ctx, nil)).JSON200.AuthType)
	body := client.DecisionCreate{Title: to("Generate the client"), Tags: &[]string{"clients"}}
	created := must(api.CreateDecisionWithResponse(ctx, nil, body)).JSON201
	say("createDecision", created.Status)
	say("getDecision", must(api.GetDecisionWithResponse(ctx, created.Id, nil)).JSON200.Title)
	list := &client.ListDecisionsParams{
		Status:  &[]client.ListDecisionsParamsStatus{client.ListDecisionsParamsStatusProposed, client.ListDecisionsParamsStatusAccepted},
		Overdue: to(false),
		Limit:   to(10),
	}
	say("listDecisions", len(must(api.ListDecisionsWithResponse(ctx, list)).JSON200.Decisions))
	change := client.DecisionUpdate{Outcome: to(client.DecisionUpdateOutcomeSuccess)}
	say("updateDecision", must(api.UpdateDecisionWithResponse(ctx, created.Id, nil, change)).JSON200.Outcome)
	say("getDecisionQuality", must(api.GetDecisionQualityWithResponse(ctx, created.Id, nil)).JSON200.Model)
	content := client.DecisionPut{Question: to("Which generator?"), DecisionType: to("architecture")}
	say("putDecisionByExternalId", must(api.PutDecisionByExternalIdWithResponse(ctx, "ADR-1", nil, content)).JSON201.ExternalId)
	say("listDecisionHistory", len(must(api.ListDecisionHistoryWithResponse(ctx, created.Id, nil)).JSON200.Data))
	facets := &client.GetDecisionFacetsParams{DecisionType: to("architecture")}
	say("getDecisionFacets", must(api.GetDecisionFacetsWithResponse(ctx, facets)).JSON200.Total)
	workflow := must(api.CreateWorkflowWithResponse(ctx, nil, client.WorkflowCreate{Title: "Choose a generator"})).JSON201
	say("createWorkflow", workflow.Acyclic)
	task := client.NodeCreate{WorkflowId: workflow.Id, Type: client.NodeCreateTypeTask, Title: "Try it"}
	node := must(api.CreateNodeWithResponse(ctx, nil, task)).JSON201
	say("createNode", node.Status)
	say("listNodes", len(must(api.ListNodesWithResponse(ctx, &client.ListNodesParams{WorkflowId: workflow.Id})).JSON200.Data))
	message := client.MessageCreate{Content: "It compiles."}
	say("postMessage", must(api.PostMessageWithResponse(ctx, node.Id, nil, message)).JSON201.Message.Content)
	say("search", len(must(api.SearchWithResponse(ctx, &client.SearchParams{Q: "nowhere"})).JSON200.Decisions))
	say("getMetrics", must(api.GetMetricsWithResponse(ctx, nil)).JSON200.DecisionsTotal)
	say("deleteDecision", must(api.DeleteDecisionWithResponse(ctx, created.Id, nil)).StatusCode())
}
