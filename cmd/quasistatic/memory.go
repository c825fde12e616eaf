package main

import (
	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/memory"
)

// memoryFlag is --memory of the commands that take much.
func memoryFlag() cli.Flag {
	return &cli.StringFlag{Name: "memory", Usage: "take at most `SIZE` of memory, for instance 4GB; over solver.memory of the case. Without both, what is free"}
}

// memoryLimit reads --memory [byte]; 0 without it.
func memoryLimit(c *cli.Context) (int64, error) {
	if !c.IsSet("memory") {
		return 0, nil
	}
	limit, err := memory.Parse(c.String("memory"))
	if err != nil {
		return 0, inputError("%s: --memory: %v", c.Command.Name, err)
	}
	return limit, nil
}
