package waymark

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

const testKey = "wmk_J9A216J9A216J9A216J9A216J9A216J9A216J9A216J"

// A sender answers requests in a test, without a network, so that the clock of synctest advances by itself.
type sender struct {
	requests []*http.Request
	bodies   []string
	times    []time.Time
	answer   func(attempt int) (*http.Response, error)
}

func (s *sender) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	s.requests = append(s.requests, r)
	s.bodies = append(s.bodies, string(body))
	s.times = append(s.times, time.Now())
	return s.answer(len(s.requests))
}

// wait returns how long the client waited before an attempt.
func (s *sender) wait(attempt int) time.Duration {
	return s.times[attempt-1].Sub(s.times[attempt-2])
}

func answer(status int, body string, header ...string) *http.Response {
	fields := http.Header{}
	for i := 0; i < len(header); i += 2 {
		fields.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: fields, Body: io.NopCloser(bytes.NewBufferString(body))}
}

func clientOf(t *testing.T, s *sender, options ...Option) *Client {
	t.Helper()
	given := []Option{WithAPIKey(testKey), WithHTTPClient(&http.Client{Transport: s})}
	client, err := New("https://waymark.example", append(given, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// withAnswers runs a test with a fake clock and a client that gets these answers, one for each attempt. The last
// one repeats.
func withAnswers(
	t *testing.T, answers []func() (*http.Response, error), test func(ctx context.Context, client *Client, s *sender),
) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &sender{answer: func(attempt int) (*http.Response, error) {
			return answers[min(attempt, len(answers))-1]()
		}}
		test(t.Context(), clientOf(t, s), s)
	})
}

func failing(err error) func() (*http.Response, error) {
	return func() (*http.Response, error) { return nil, err }
}

func answering(status int, body string, header ...string) func() (*http.Response, error) {
	return func() (*http.Response, error) { return answer(status, body, header...), nil }
}
