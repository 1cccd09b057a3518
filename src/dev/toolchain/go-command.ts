import { join } from 'node:path';

import { packageRoot } from '../package-root.js';
import type { Environment } from './cache-paths.js';
import { recipes, tools, type RecipeName, type ToolName } from './tools.js';

export interface GoCommand {
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment: Record<string, string>;
}

/** Settings of the user's own Go projects that would make these builds something else. */
const unwanted = ['GOOS', 'GOARCH', 'GOEXPERIMENT'];

/** One call of `go` that leaves the binaries of these tools, all of one recipe, in `output`. */
export function buildGoCommand(
  recipeName: RecipeName,
  names: readonly ToolName[],
  output: string,
  environment: Environment,
): GoCommand {
  const recipe = recipes[recipeName];
  const packages = names.map((name) => tools[name].package);
  const flags = ['-v', '-trimpath', `-ldflags=${linkerFlags(recipe.linkerVariables)}`];
  const shared = goEnvironment(environment);
  switch (recipe.kind) {
    case 'go-install':
      return {
        arguments: [
          'install',
          ...flags,
          ...packages.map((path) => `${path}@${recipe.moduleVersion}`),
        ],
        // Outside of any module, which would otherwise have a say in the build.
        folder: output,
        environment: { ...shared, GOBIN: output },
      };
    case 'go-module':
      return {
        // With one package `-o` would name the file itself, were it not for the slash.
        arguments: ['build', ...flags, '-o', `${output}/`, ...packages],
        folder: join(packageRoot, 'toolchain', recipe.folder),
        environment: shared,
      };
  }
}

/**
 * The user's environment, for its proxies and caches, without what would change the result: flags
 * such as -mod=vendor, a workspace, another target. No C compiler is asked for.
 */
export function goEnvironment(environment: Environment): Record<string, string> {
  const kept = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !unwanted.includes(entry[0]),
  );
  return {
    ...Object.fromEntries(kept),
    GOFLAGS: '-buildvcs=false',
    GOWORK: 'off',
    GO111MODULE: 'on',
    CGO_ENABLED: '0',
  };
}

function linkerFlags(variables: Readonly<Record<string, string>>): string {
  const settings = Object.entries(variables).map(([name, value]) => `-X ${name}=${value}`);
  return ['-s', '-w', ...settings].join(' ');
}
