package waymark

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	firstDelay = 500 * time.Millisecond
	// A longer wait is left to the caller. The error says how long it is.
	mostDelay = time.Minute
)

// interrupted is the error of a connection that failed, or broke before the response was complete.
type interrupted struct{ error }

func (e *interrupted) Unwrap() error { return e.error }

// A retryPolicy decides whether one request is sent again.
type retryPolicy struct {
	left, sent int
	// Whether the request can be done twice: a read, or a change with an Idempotency-Key.
	repeatable bool
	// Whether the body can be sent only once.
	once bool
}

// wait returns nil when the request can be sent again, or the error to return.
func (p *retryPolicy) wait(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if p.left == 0 || p.once || !p.isWorthRetry(err) {
		return err
	}
	delay := p.delay(err)
	if deadline, ok := ctx.Deadline(); delay > mostDelay || (ok && time.Until(deadline) < delay) {
		return err
	}
	// Clients that were refused together do not come back together.
	timer := time.NewTimer(delay + rand.N(delay/4+1))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		p.left--
		p.sent++
		return nil
	}
}

func (p *retryPolicy) isWorthRetry(err error) bool {
	var broken *interrupted
	if errors.As(err, &broken) {
		return p.repeatable
	}
	var answer *Error
	if !errors.As(err, &answer) {
		return false
	}
	switch answer.Status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		// Refused before anything happened.
		return true
	case http.StatusConflict:
		// A request with the same Idempotency-Key is still running.
		return answer.RetryAfter > 0
	case http.StatusServiceUnavailable:
		return p.repeatable
	case http.StatusInternalServerError:
		return p.repeatable && p.sent == 0
	}
	return false
}

// delay returns what the answer asks for, or twice as long as before.
func (p *retryPolicy) delay(err error) time.Duration {
	var answer *Error
	if errors.As(err, &answer) && answer.RetryAfter > 0 {
		return answer.RetryAfter
	}
	return firstDelay << min(p.sent, 10)
}

// retryAfter reads seconds or a date; 0 when the header has neither.
func retryAfter(text string) time.Duration {
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}
