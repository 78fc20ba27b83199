// Scenario runs the steps of a scenario file with this SDK: sdks/README.md describes it.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	waymark "github.com/waymark/waymark/sdks/go"
)

const (
	patience = 20 * time.Second
	interval = 200 * time.Millisecond
)

type step struct {
	Name           string
	Operation      string
	Path, Query    map[string]any
	Body           any
	File           string
	ContentType    string
	IdempotencyKey string
	IfMatch        string
	Items          bool
	Times          int
	APIKey         string
	Answers        []string
	Eventually     bool
	Expect         *expectation
	Save           map[string]string
	Webhooks       bool
}

func main() {
	var scenario struct{ Steps []json.RawMessage }
	if err := readJSON(os.Getenv("SCENARIO"), &scenario); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	run := runner{variables: map[string]any{}}
	output := json.NewEncoder(os.Stdout)
	code := 0
	for number, source := range scenario.Steps {
		name, err := run.step(number, source)
		line := map[string]any{"step": name, "ok": err == nil}
		if err != nil {
			line["error"] = err.Error()
			code = 1
		}
		_ = output.Encode(line)
	}
	_ = output.Encode(map[string]any{"operations": operationIDs()})
	os.Exit(code)
}

type runner struct {
	variables map[string]any
}

// step runs a step as often as it says.
func (r *runner) step(number int, source json.RawMessage) (string, error) {
	var shape step
	if err := json.Unmarshal(source, &shape); err != nil {
		return string(source), err
	}
	if shape.Webhooks {
		return shape.Name, verifyWebhooks(os.Getenv("WAYMARK_WEBHOOK_VECTORS"))
	}
	for n := range max(shape.Times, 1) {
		r.variables["n"] = float64(n + 1)
		var filled step
		if err := r.fill(source, &filled); err != nil {
			return shape.Name, err
		}
		if err := r.until(number, filled); err != nil {
			return shape.Name, err
		}
	}
	return shape.Name, nil
}

// until repeats a step whose expectation may hold later.
func (r *runner) until(number int, s step) error {
	for start := time.Now(); ; time.Sleep(interval) {
		err := r.once(number, s)
		if err == nil || !s.Eventually || time.Since(start) > patience {
			return err
		}
	}
}

func (r *runner) once(number int, s step) error {
	key := s.APIKey
	if key == "" {
		key = os.Getenv("WAYMARK_API_KEY")
	}
	address := os.Getenv("WAYMARK_URL")
	if s.Answers != nil {
		answers := strings.Join(s.Answers, ",")
		address = fmt.Sprintf("%s/%d/%s/v1", os.Getenv("WAYMARK_PROXY_URL"), number, answers)
	}
	client, err := waymark.New(address, waymark.WithAPIKey(key))
	if err != nil {
		return err
	}
	result, err := callOperation(client, s)
	for _, format := range []string{"%v", "%+v", "%#v"} {
		if strings.Contains(fmt.Sprintf(format+format, client, err), key) {
			return errors.New("the key is shown with " + format)
		}
	}
	if err := s.Expect.check(result, err); err != nil {
		return err
	}
	for name, path := range s.Save {
		r.variables[name] = valueAt(result, path)
	}
	return nil
}

// fill decodes a step with the values of the variables.
func (r *runner) fill(source json.RawMessage, target *step) error {
	var raw any
	if err := json.Unmarshal(source, &raw); err != nil {
		return err
	}
	text, err := json.Marshal(r.replace(raw))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, target)
}

// replace puts the values of variables into the strings of a value. A string that is one variable takes its type.
func (r *runner) replace(value any) any {
	switch value := value.(type) {
	case string:
		for name, content := range r.variables {
			placeholder := "${" + name + "}"
			if value == placeholder {
				return content
			}
			value = strings.ReplaceAll(value, placeholder, fmt.Sprint(content))
		}
		return value
	case []any:
		for i := range value {
			value[i] = r.replace(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = r.replace(value[name])
		}
	}
	return value
}

func readJSON(path string, target any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, target)
}
