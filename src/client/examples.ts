import type { Command } from 'commander';

/** Adds examples to a command's help, under the name by which the program was called. */
export function withExamples(
  command: Command,
  examples: readonly (readonly [string, string])[],
): Command {
  return command.addHelpText('after', () => {
    const program = rootName(command);
    const lines = examples.map(([words, what]) => `  # ${what}\n  ${program} ${words}`);
    return `\nExamples:\n${lines.join('\n\n')}`;
  });
}

/** The name by which the program was called. */
export function rootName(command: Command): string {
  return command.parent === null ? command.name() : rootName(command.parent);
}
