// Prints vacuum's score of a description by a ruleset, then what it finds.
package main

import (
	"fmt"
	"os"

	"github.com/daveshanley/vacuum/model"
	"github.com/daveshanley/vacuum/motor"
	"github.com/daveshanley/vacuum/rulesets"
	"github.com/daveshanley/vacuum/statistics"
)

func main() {
	description := read(os.Args[1])
	own, err := rulesets.CreateRuleSetFromData(read(os.Args[2]))
	check(err)
	run := motor.ApplyRulesToRuleSet(&motor.RuleSetExecution{
		RuleSet: rulesets.BuildDefaultRuleSets().GenerateRuleSetFromSuppliedRuleSet(own),
		Spec:    description,
	})
	for _, err := range run.Errors {
		check(err)
	}
	found := model.NewRuleResultSet(run.Results)
	fmt.Println(statistics.CalculateQualityScore(found))
	for _, one := range found.Results {
		fmt.Println(one.RuleSeverity, one.RuleId, one.Path, one.Message)
	}
}

func read(path string) []byte {
	content, err := os.ReadFile(path)
	check(err)
	return content
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
