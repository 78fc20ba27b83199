package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	waymark "github.com/waymark/waymark/sdks/go"
)

type expectation struct {
	Result  any
	Text    string
	Nothing bool
	Error   *expectedError
}

type expectedError struct {
	Code, Reason, Docs string
	Status             int
	Issues             []string
	RetryAfterSeconds  *int
	Network            bool
}

// check returns how the outcome of a call differs from what is expected. Without an expectation it must succeed.
func (e *expectation) check(result any, failure error) error {
	if e != nil && e.Error != nil {
		return e.Error.check(failure)
	}
	if failure != nil || e == nil {
		return failure
	}
	if e.Nothing && result != nil {
		return fmt.Errorf("got %v, not nothing", result)
	}
	if text, _ := result.(string); e.Text != "" && !strings.Contains(text, e.Text) {
		return fmt.Errorf("%.200q does not contain %q", text, e.Text)
	}
	if e.Result != nil {
		return compare("result", e.Result, result)
	}
	return nil
}

func (e *expectedError) check(failure error) error {
	if failure == nil {
		return errors.New("the call did not fail")
	}
	var answer *waymark.Error
	if !errors.As(failure, &answer) {
		if e.Network {
			return nil
		}
		return failure
	}
	var issues []string
	for _, issue := range answer.Issues {
		issues = append(issues, issue.Path)
	}
	slices.Sort(issues)
	slices.Sort(e.Issues)
	holds := !e.Network && (e.Code == "" || answer.Code == waymark.ErrorCode(e.Code)) &&
		(e.Status == 0 || answer.Status == e.Status) && (e.Reason == "" || answer.Reason == e.Reason) &&
		(e.Issues == nil || reflect.DeepEqual(issues, e.Issues)) && strings.HasSuffix(answer.Docs, e.Docs) &&
		(e.RetryAfterSeconds == nil || answer.RetryAfter == time.Duration(*e.RetryAfterSeconds)*time.Second)
	if !holds || !strings.HasPrefix(answer.Docs, "http") {
		return fmt.Errorf("another error: %+v", *answer)
	}
	return nil
}

// compare returns where a value lacks what is expected.
func compare(at string, expected, actual any) error {
	switch expected := expected.(type) {
	case map[string]any:
		fields, ok := actual.(map[string]any)
		for name, value := range expected {
			field, isThere := fields[name]
			if !ok || !isThere {
				return fmt.Errorf("%s.%s is missing", at, name)
			}
			if err := compare(at+"."+name, value, field); err != nil {
				return err
			}
		}
		return nil
	case []any:
		items, ok := actual.([]any)
		if !ok || len(items) != len(expected) {
			return fmt.Errorf("%s has %d items, not %d", at, len(items), len(expected))
		}
		for i, value := range expected {
			if err := compare(fmt.Sprintf("%s.%d", at, i), value, items[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if expected == actual || isSameTime(expected, actual) {
		return nil
	}
	return fmt.Errorf("%s is %v, not %v", at, actual, expected)
}

func isSameTime(a, b any) bool {
	first, isText := a.(string)
	second, isAlsoText := b.(string)
	if !isText || !isAlsoText {
		return false
	}
	one, err := time.Parse(time.RFC3339, first)
	other, otherErr := time.Parse(time.RFC3339, second)
	return err == nil && otherErr == nil && one.Equal(other)
}

// valueAt returns what a path leads to: nodes.0.id.
func valueAt(value any, path string) any {
	if path == "" {
		return value
	}
	name, rest, _ := strings.Cut(path, ".")
	switch value := value.(type) {
	case map[string]any:
		return valueAt(value[name], rest)
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i < len(value) {
			return valueAt(value[i], rest)
		}
	}
	return nil
}
