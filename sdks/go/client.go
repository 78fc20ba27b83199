// Package waymark calls the API of a Waymark installation and verifies its webhooks.
//
// Every operation is a method with a context, grouped as the commands of the command line are:
// client.Decisions.Create is `waymark decisions create`. Failed calls return an [Error]. Requests that are
// safe to repeat are repeated, and wait as long as the installation says.
package waymark

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const defaultRetries = 2

// Option changes a new client.
type Option func(*connection) error

// New returns a client of the installation at baseURL, for example https://waymark.example. It fails if an
// option or the address cannot be used.
func New(baseURL string, options ...Option) (*Client, error) {
	address, err := url.Parse(baseURL)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return nil, errors.New("waymark: the address of an installation is like https://waymark.example")
	}
	if address.User != nil || address.RawQuery != "" || address.Fragment != "" {
		return nil, errors.New("waymark: the address has a password, a query or a fragment: leave it out")
	}
	root := strings.TrimSuffix(strings.TrimRight(address.String(), "/"), basePath)
	c := &connection{root: root, retries: defaultRetries, authorize: func(*http.Request) {}}
	c.setHTTPClient(&http.Client{Transport: patientTransport()})
	for _, option := range options {
		if err := option(c); err != nil {
			return nil, err
		}
	}
	return newClient(c), nil
}

// WithAPIKey sends the key, wmk_…, with each request.
func WithAPIKey(key string) Option {
	return func(c *connection) error {
		if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return errors.New("waymark: the API key is empty or has characters that no key has")
		}
		// In a function, so that printing the client with %+v does not show the key.
		c.authorize = func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+key) }
		return nil
	}
}

// WithHTTPClient sends requests with a copy of this client, for example one with a proxy or a cookie jar. The
// copy does not follow redirects: no operation needs them, and a key must not reach another host.
func WithHTTPClient(client *http.Client) Option {
	return func(c *connection) error {
		if client == nil {
			return errors.New("waymark: the HTTP client is nil")
		}
		c.setHTTPClient(client)
		return nil
	}
}

// WithMaxRetries sets how often a request is repeated at most: 2 by default, 0 for never.
func WithMaxRetries(retries int) Option {
	return func(c *connection) error {
		if retries < 0 {
			return errors.New("waymark: the number of retries is negative")
		}
		c.retries = retries
		return nil
	}
}

// String returns the address that the client calls. It does not show the key.
func (c *Client) String() string {
	return "waymark.Client of " + c.connection.root
}

// GoString returns what String returns.
func (c *Client) GoString() string {
	return c.String()
}

// patientTransport gives up when an installation accepts a request and never answers.
func patientTransport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = time.Minute
	return transport
}
