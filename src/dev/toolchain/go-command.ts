import { join } from 'node:path';

import { packageRoot } from '../package-root.js';
import type { Environment } from './cache-paths.js';
import { recipes, tools, type RecipeName, type AnyToolName } from './tools.js';

export interface GoCommand {
  readonly arguments: readonly string[];
  readonly folder: string;
  readonly environment: Record<string, string>;
}

/** Settings of the user's own Go projects that would make these builds something else. */
const unwanted = ['GOOS', 'GOARCH', 'GOEXPERIMENT'];

/** The calls of `go` that leave the binaries of these tools, all of one recipe, in `output`. */
export function buildGoCommands(
  recipeName: RecipeName,
  names: readonly AnyToolName[],
  output: string,
  environment: Environment,
): readonly GoCommand[] {
  const recipe = recipes[recipeName];
  const packages = names.map((name) => tools[name].package);
  const flags = ['-v', '-trimpath'];
  const linking = `-ldflags=${linkerFlags(recipe.linkerVariables)}`;
  const shared = goEnvironment(environment);
  switch (recipe.kind) {
    case 'go-install': {
      const versioned = packages.map((path) => `${path}@${recipe.moduleVersion}`);
      return [
        {
          arguments: ['install', ...flags, linking, ...versioned],
          // Outside of any module, which would otherwise have a say in the build.
          folder: output,
          environment: { ...shared, GOBIN: output },
        },
      ];
    }
    case 'go-module':
      return [
        {
          // With one package `-o` would name the file itself, were it not for the slash.
          arguments: ['build', ...flags, linking, '-o', `${output}/`, ...packages],
          folder: moduleFolder(recipe.folder),
          environment: shared,
        },
      ];
    case 'go-test': {
      const folder = moduleFolder(recipe.folder);
      return [
        // `go test -c` is silent for minutes. This compiles the same and names each package.
        {
          arguments: ['list', '-export', '-test', ...flags, ...packages],
          folder,
          environment: shared,
        },
        ...names.map((name) => ({
          arguments: [
            'test',
            '-c',
            '-trimpath',
            linking,
            '-o',
            join(output, name),
            tools[name].package,
          ],
          folder,
          environment: shared,
        })),
      ];
    }
    case 'go-source':
      return names.map((name) => ({
        arguments: ['build', ...flags, linking, '-o', join(output, name), tools[name].package],
        folder: sourceFolder(output),
        environment: shared,
      }));
  }
}

/** The call of `go` that says, as JSON, where it keeps the source of a published module. */
export function buildDownloadCommand(
  module: string,
  version: string,
  folder: string,
  environment: Environment,
): GoCommand {
  return {
    arguments: ['mod', 'download', '-json', `${module}@${version}`],
    folder,
    environment: goEnvironment(environment),
  };
}

/** Where a module's source is copied to, for what is built there into `output`. */
export const sourceFolder = (output: string): string => `${output}-source`;

const moduleFolder = (name: string): string => join(packageRoot, 'toolchain', name);

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
