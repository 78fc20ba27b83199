package waymark

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// A connection sends requests with the credentials of a client.
type connection struct {
	// The address without the base path.
	root      string
	http      *http.Client
	retries   int
	authorize func(*http.Request)
}

func (c *connection) setHTTPClient(client *http.Client) {
	own := *client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.http = &own
}

// A request of one operation.
type request struct {
	method, path string
	// The values of the braces in path.
	args []string
	// A struct of parameters, or a nil pointer to one.
	options any
	// Parameters that the operation requires.
	query url.Values
	// Encoded as JSON; an upload is sent as it is.
	body any
	// Whether the operation takes an Idempotency-Key.
	keyed bool
	// The number of operations in the body of a batch.
	batch int
	// The status of success, if it is not one of 200 to 299.
	success int
}

// An upload is a body that is not JSON. It is sent once: nothing can rewind it.
type upload struct {
	contentType string
	content     io.Reader
}

const idempotencyKey = "Idempotency-Key"

type headerKey struct{}

// WithHeader returns a context whose calls copy the header of their response to target: its ETag, request id
// and rate limits. Use one for each call.
func WithHeader(ctx context.Context, target *http.Header) context.Context {
	return context.WithValue(ctx, headerKey{}, target)
}

// call sends a request and decodes the JSON of the response.
func call[T any](ctx context.Context, c *connection, r request) (*T, error) {
	var result T
	err := c.send(ctx, r, func(body io.Reader) error {
		// The whole body first: a connection that breaks here is worth a retry, unexpected JSON is not.
		text, err := io.ReadAll(body)
		if err != nil {
			return &interrupted{err}
		}
		if err := json.Unmarshal(text, &result); err != nil {
			return fmt.Errorf("the answer is not one of Waymark: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &result, nil
}

// callEmpty sends a request whose response has no body.
func callEmpty(ctx context.Context, c *connection, r request) error {
	return c.send(ctx, r, func(io.Reader) error { return nil })
}

// callStream sends a request and returns the body of the response. The caller closes it.
func callStream(ctx context.Context, c *connection, r request) (io.ReadCloser, error) {
	response, err := c.open(ctx, r, func(*http.Response) error { return nil })
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}

// callRedirect sends a request and returns the address to which the answer sends a browser.
func callRedirect(ctx context.Context, c *connection, r request) (string, error) {
	r.success = http.StatusFound
	response, err := c.open(ctx, r, func(*http.Response) error { return nil })
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	return response.Header.Get("Location"), nil
}

func (c *connection) send(ctx context.Context, r request, read func(io.Reader) error) error {
	_, err := c.open(ctx, r, func(response *http.Response) error {
		defer response.Body.Close()
		return read(response.Body)
	})
	return err
}

// open sends a request until it succeeds or must not be repeated. accept is called with each success.
func (c *connection) open(
	ctx context.Context, r request, accept func(*http.Response) error,
) (*http.Response, error) {
	address, header, err := c.prepare(r)
	if err != nil {
		return nil, r.fail(err)
	}
	content, body, err := encode(r.body, header)
	if err != nil {
		return nil, r.fail(err)
	}
	isRepeatable := r.method == http.MethodGet || header.Get(idempotencyKey) != ""
	policy := retryPolicy{left: c.retries, repeatable: isRepeatable, once: body != nil}
	for {
		if body == nil && content != nil {
			body = bytes.NewReader(content)
		}
		response, err := c.attempt(ctx, r, address, header, body)
		if err == nil {
			if err = accept(response); err == nil {
				return response, nil
			}
		}
		body = nil
		if err = policy.wait(ctx, err); err != nil {
			return nil, r.fail(err)
		}
	}
}

func (c *connection) attempt(
	ctx context.Context, r request, address string, header http.Header, body io.Reader,
) (*http.Response, error) {
	outgoing, err := http.NewRequestWithContext(ctx, r.method, address, body)
	if err != nil {
		return nil, err
	}
	outgoing.Header = header.Clone()
	c.authorize(outgoing)
	response, err := c.http.Do(outgoing)
	if err != nil {
		// *url.Error shows the address, whose query can contain a token.
		var shown *url.Error
		if errors.As(err, &shown) {
			err = shown.Err
		}
		return nil, &interrupted{err}
	}
	if target, ok := ctx.Value(headerKey{}).(*http.Header); ok {
		*target = response.Header.Clone()
	}
	if response.StatusCode/100 == 2 || response.StatusCode == r.success {
		return response, nil
	}
	defer response.Body.Close()
	return nil, c.failure(response)
}

// prepare returns the address and the header of a request.
func (c *connection) prepare(r request) (string, http.Header, error) {
	path, err := fillPath(r.path, r.args)
	if err != nil {
		return "", nil, err
	}
	query, header := r.query, http.Header{}
	if query == nil {
		query = url.Values{}
	}
	if err := addOptions(r.options, query, header); err != nil {
		return "", nil, err
	}
	header.Set("User-Agent", "waymark-go/"+Version)
	if r.keyed && header.Get(idempotencyKey) == "" {
		header.Set(idempotencyKey, rand.Text())
	}
	if r.batch > 0 {
		header.Set("Batch-Size", strconv.Itoa(r.batch))
	}
	address := c.root + basePath + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address, header, nil
}

// encode returns the bytes of a JSON body, or the reader of an upload, and sets the type.
func encode(body any, header http.Header) ([]byte, io.Reader, error) {
	switch body := body.(type) {
	case nil:
		return nil, nil, nil
	case upload:
		if body.content == nil {
			return nil, nil, errors.New("the body is nil")
		}
		header.Set("Content-Type", body.contentType)
		return nil, body.content, nil
	default:
		header.Set("Content-Type", "application/json")
		text, err := json.Marshal(body)
		return text, nil, err
	}
}

func (r request) fail(err error) error {
	return fmt.Errorf("waymark: %s %s: %w", r.method, r.path, err)
}
