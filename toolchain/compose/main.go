// Prints a Compose file as Compose itself understands it, in JSON, like `docker compose config`. It is
// for tests on machines without Docker.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(files []string) error {
	options, err := cli.NewProjectOptions(files, cli.WithOsEnv, cli.WithResolvedPaths(true))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	text, err := project.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}
