package main

import (
	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/models"
)

// schemaCommand returns `quasistatic schema`.
func schemaCommand() *cli.Command {
	return &cli.Command{
		Name:        "schema",
		Usage:       "print the JSON Schema of the case format",
		Description: "Save it beside a case, name it there (\"$schema\": \"./case.schema.json\"), and editors complete and check keys.",
		Action: func(c *cli.Context) error {
			if c.Args().Len() > 0 {
				return inputError("schema: found %d arguments, want none", c.Args().Len())
			}
			_, err := c.App.Writer.Write(models.Grammar().EditorSchema())
			return err
		},
	}
}
