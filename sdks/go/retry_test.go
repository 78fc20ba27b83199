package waymark

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

type answers = []func() (*http.Response, error)

var (
	unavailable = answering(503, `{"error":"SERVICE_UNAVAILABLE"}`)
	limited     = answering(429, `{"error":"RATE_LIMITED"}`, "Retry-After", "7")
	created     = answering(201, `{"id":"1","title":"Once"}`)
	reset       = failing(errors.New("connection reset by peer"))
)

func TestWaitsAsLongAsRetryAfterSays(t *testing.T) {
	withAnswers(t, answers{limited, created}, func(ctx context.Context, client *Client, s *sender) {
		decision, err := client.Decisions.Create(ctx, DecisionCreate{Title: "Once"}, nil)
		if err != nil || decision.Title != "Once" {
			t.Fatal(decision, err)
		}
		if wait := s.wait(2); wait < 7*time.Second || wait > 9*time.Second {
			t.Error("waited", wait)
		}
	})
}

func TestReadsRetryAfterAsADate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := time.Now().Add(9 * time.Second).UTC().Format(http.TimeFormat)
		if wait := retryAfter(at); wait != 9*time.Second {
			t.Error(wait)
		}
		for _, text := range []string{"", "soon", "-1", "1.5", "99999999999"} {
			if wait := retryAfter(text); wait != 0 {
				t.Error(text, wait)
			}
		}
	})
}

func TestRepeatsAChangeWithTheSameKeyAndBody(t *testing.T) {
	broken := answering(201, `{"id":`)
	cut := func() (*http.Response, error) {
		response, _ := broken()
		response.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"id":`), errorReader{}))
		return response, nil
	}
	withAnswers(t, answers{reset, cut, created}, func(ctx context.Context, client *Client, s *sender) {
		if _, err := client.Decisions.Create(ctx, DecisionCreate{Title: "Once"}, nil); err != nil {
			t.Fatal(err)
		}
		key := s.requests[0].Header.Get("Idempotency-Key")
		for i, r := range s.requests {
			if r.Header.Get("Idempotency-Key") != key || key == "" || s.bodies[i] != `{"title":"Once"}` {
				t.Error(i, r.Header, s.bodies[i])
			}
		}
		if len(s.requests) != 3 || s.wait(2) < firstDelay || s.wait(3) < 2*firstDelay {
			t.Error("attempts at", s.times)
		}
	})
}

func TestGivesEachChangeItsOwnKey(t *testing.T) {
	withAnswers(t, answers{created}, func(ctx context.Context, client *Client, s *sender) {
		for range 2 {
			_, _ = client.Decisions.Create(ctx, DecisionCreate{Title: "Once"}, nil)
		}
		_, _ = client.Decisions.Create(ctx, DecisionCreate{}, &CreateDecisionOptions{IdempotencyKey: "mine"})
		keys := []string{}
		for _, r := range s.requests {
			keys = append(keys, r.Header.Get("Idempotency-Key"))
		}
		if keys[0] == keys[1] || keys[2] != "mine" {
			t.Error(keys)
		}
	})
}

func TestGivesUpAfterTwoRepetitions(t *testing.T) {
	withAnswers(t, answers{unavailable}, func(ctx context.Context, client *Client, s *sender) {
		_, err := client.Decisions.Get(ctx, "1", nil)
		var failed *Error
		if !errors.As(err, &failed) || failed.Code != CodeServiceUnavailable || len(s.requests) != 3 {
			t.Error(err, len(s.requests))
		}
	})
}

func TestRepeatsNothingThatCouldBeDoneTwiceOrStaysRefused(t *testing.T) {
	update := func(ctx context.Context, client *Client) error {
		_, err := client.Decisions.Update(ctx, "1", DecisionUpdate{}, nil)
		return err
	}
	read := func(ctx context.Context, client *Client) error {
		_, err := client.Whoami(ctx, nil)
		return err
	}
	upload := func(ctx context.Context, client *Client) error {
		_, err := client.Imports.Create(ctx, "application/zip", strings.NewReader("PK"), nil)
		return err
	}
	for name, test := range map[string]struct {
		call     func(context.Context, *Client) error
		first    func() (*http.Response, error)
		attempts int
	}{
		"a change without a key, unseen":       {update, reset, 1},
		"a change without a key, failed":       {update, unavailable, 1},
		"a change without a key, refused":      {update, limited, 2},
		"a body that cannot be rewound":        {upload, limited, 1},
		"a request that is not valid":          {read, answering(400, `{"error":"VALIDATION_ERROR"}`), 1},
		"a wait of an hour":                    {read, answering(429, `{"error":"RATE_LIMITED"}`, "Retry-After", "3600"), 1},
		"a conflict":                           {read, answering(409, `{"error":"CONFLICT"}`), 1},
		"a request with its key still running": {read, answering(409, `{"error":"CONFLICT"}`, "Retry-After", "1"), 2},
		"a page to sign in at":                 {read, answering(302, "", "Location", "https://elsewhere.example/"), 1},
		"a redirect to another host":           {read, answering(307, "", "Location", "https://elsewhere.example/"), 1},
	} {
		t.Run(name, func(t *testing.T) {
			ok := answering(200, `{}`)
			withAnswers(t, answers{test.first, ok}, func(ctx context.Context, client *Client, s *sender) {
				err := test.call(ctx, client)
				if len(s.requests) != test.attempts || (err == nil) != (test.attempts > 1) {
					t.Error(len(s.requests), "attempts", err)
				}
			})
		})
	}
}

func TestACanceledContextEndsTheWait(t *testing.T) {
	withAnswers(t, answers{limited}, func(ctx context.Context, client *Client, s *sender) {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(2*time.Second, cancel)
		start := time.Now()
		_, err := client.Whoami(ctx, nil)
		if !errors.Is(err, context.Canceled) || time.Since(start) != 2*time.Second || len(s.requests) != 1 {
			t.Error(err, time.Since(start))
		}
	})
}

func TestADeadlineBeforeTheRetryReturnsTheAnswerAtOnce(t *testing.T) {
	withAnswers(t, answers{limited}, func(ctx context.Context, client *Client, s *sender) {
		ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
		defer cancel()
		start := time.Now()
		_, err := client.Whoami(ctx, nil)
		var failed *Error
		if !errors.As(err, &failed) || failed.RetryAfter != 7*time.Second || time.Since(start) != 0 {
			t.Error(err, time.Since(start))
		}
	})
}

func TestMaxRetriesIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sender{answer: func(int) (*http.Response, error) { return unavailable() }}
		_, _ = clientOf(t, s, WithMaxRetries(0)).Whoami(t.Context(), nil)
		if len(s.requests) != 1 {
			t.Error(len(s.requests))
		}
	})
}

type errorReader struct{}

func (errorReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
