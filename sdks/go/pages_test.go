package waymark

import (
	"context"
	"testing"
)

func TestIteratesOverAllPagesAndBeginsAnew(t *testing.T) {
	first := answering(200, `{"decisions":[{"title":"a"},{"title":"b"}],"next_cursor":"second"}`)
	second := answering(200, `{"decisions":[{"title":"c"}],"next_cursor":null}`)
	withAnswers(t, answers{first, second, first, second}, func(ctx context.Context, client *Client, s *sender) {
		options := &ListDecisionsOptions{Limit: 2, Tag: "x"}
		all := client.Decisions.List(ctx, options)
		for range 2 {
			titles := ""
			for decision, err := range all {
				if err != nil {
					t.Fatal(err)
				}
				titles += decision.Title
			}
			if titles != "abc" {
				t.Error(titles)
			}
		}
		queries := []string{s.requests[0].URL.RawQuery, s.requests[1].URL.RawQuery, s.requests[2].URL.RawQuery}
		if queries[0] != "limit=2&tag=x" || queries[1] != "cursor=second&limit=2&tag=x" || queries[2] != queries[0] {
			t.Error(queries)
		}
		if options.Cursor != "" {
			t.Error("the options of the caller were changed")
		}
	})
}

func TestALoopCanStopAndEndsWithAnError(t *testing.T) {
	page := answering(200, `{"decisions":[{"title":"a"},{"title":"b"}],"next_cursor":"second"}`)
	gone := answering(400, `{"error":"VALIDATION_ERROR"}`)
	withAnswers(t, answers{page, page, gone}, func(ctx context.Context, client *Client, s *sender) {
		for range client.Decisions.List(ctx, nil) {
			break
		}
		if len(s.requests) != 1 {
			t.Error(len(s.requests))
		}
		var errs []error
		for _, err := range client.Decisions.List(ctx, nil) {
			errs = append(errs, err)
		}
		if len(errs) != 3 || errs[0] != nil || errs[1] != nil || errs[2] == nil {
			t.Error(errs)
		}
	})
}
