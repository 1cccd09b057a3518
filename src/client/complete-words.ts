import type { Argument, Command, Option } from 'commander';

/** A word that could stand where the cursor is, and what it is. */
export interface Suggestion {
  readonly word: string;
  readonly about: string;
}

/** The shell completes the names of files itself. */
export const files = 'files';

/** What can only be known by asking: each may take a while, and may fail. */
export interface CompletionSources {
  /** Objects as KIND/NAME that begin with the word, and that the command takes. */
  refs(word: string, options: ChosenOptions, command: string): Promise<readonly string[]>;
  namespaces(options: ChosenOptions): Promise<readonly string[]>;
  contexts(options: ChosenOptions): Promise<readonly string[]>;
}

/** Those of the options on the command line so far that tell which cluster to ask. */
export type ChosenOptions = Readonly<Record<string, string>>;

/**
 * What can follow the words that are on the command line, of which the last is the one to complete.
 * The commands and options are read from the program itself, so nothing is listed twice.
 */
export async function completeWords(
  program: Command,
  words: readonly string[],
  sources: CompletionSources,
): Promise<readonly Suggestion[] | typeof files> {
  // bash takes an equals sign for a word of its own.
  const cleaned = words.filter((word, index) => word !== '=' || index === words.length - 1);
  const current = cleaned.at(-1) === '=' ? '' : (cleaned.at(-1) ?? '');
  const place = findPlace(program, cleaned.slice(0, -1));
  const attached = /^(--[\w-]+)=(.*)$/.exec(current);
  if (attached !== null) {
    const [, flag = '', value = ''] = attached;
    const option = findOption(place.command, flag);
    const found = await completeOption(option, value, place, sources);
    return found === files ? files : found.map((one) => ({ ...one, word: `${flag}=${one.word}` }));
  }
  if (place.waiting !== undefined && !(place.waiting.variadic && current.startsWith('-'))) {
    return completeOption(place.waiting, current, place, sources);
  }
  if (current.startsWith('-')) return beginning(current, listOptions(place.command));
  return completeArgument(current, place, sources);
}

interface Place {
  readonly command: Command;
  /** An option that the next word is a value of. */
  readonly waiting: Option | undefined;
  /** How many arguments, other than options, are there already. */
  readonly position: number;
  readonly chosen: ChosenOptions;
}

function findPlace(program: Command, words: readonly string[]): Place {
  let command = program;
  let waiting: Option | undefined;
  let position = 0;
  const chosen: Record<string, string> = {};
  for (const word of words) {
    if (waiting !== undefined && !word.startsWith('-')) {
      chosen[waiting.attributeName()] = word;
      if (!waiting.variadic) waiting = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const [flag = '', value] = word.split('=', 2);
      const option = findOption(command, flag);
      if (option !== undefined && value !== undefined) chosen[option.attributeName()] = value;
      waiting = value === undefined && option?.required === true ? option : undefined;
      continue;
    }
    const next = command.commands.find(
      (one) => one.name() === word || one.aliases().includes(word),
    );
    if (next !== undefined && position === 0) command = next;
    // "help deploy" is about a command too, and takes no more than its name.
    else if (!(word === 'help' && command === program)) position += 1;
  }
  return { command, waiting, position, chosen };
}

const findOption = (command: Command, flag: string): Option | undefined =>
  command.options.find((option) => option.long === flag || option.short === flag);

async function completeOption(
  option: Option | undefined,
  current: string,
  { chosen }: Place,
  sources: CompletionSources,
): Promise<readonly Suggestion[] | typeof files> {
  if (option?.argChoices !== undefined) return beginning(current, plain(option.argChoices));
  switch (option?.attributeName()) {
    case 'namespace':
      return beginning(current, plain(await sources.namespaces(chosen)));
    case 'context':
      return beginning(current, plain(await sources.contexts(chosen)));
    case 'kubeconfig':
    case 'filename':
    case 'paramFile':
      return files;
    default:
      return [];
  }
}

async function completeArgument(
  current: string,
  { command, position, chosen }: Place,
  sources: CompletionSources,
): Promise<readonly Suggestion[]> {
  if (command.commands.length > 0) {
    return position === 0 ? beginning(current, listCommands(command)) : [];
  }
  const argument = argumentAt(command, position);
  if (argument === undefined) return [];
  if (argument.argChoices !== undefined) return beginning(current, plain(argument.argChoices));
  if (argument.name() !== 'kind/name') return [];
  return beginning(current, plain(await sources.refs(current, chosen, command.name())));
}

function argumentAt({ registeredArguments }: Command, position: number): Argument | undefined {
  const last = registeredArguments.at(-1);
  return registeredArguments[position] ?? (last?.variadic === true ? last : undefined);
}

function listCommands(command: Command): Suggestion[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ word: one.name(), about: one.summary() || one.description() }));
}

function listOptions(command: Command): Suggestion[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({ word: option.long ?? option.flags, about: option.description }));
}

const plain = (words: readonly string[]): Suggestion[] =>
  words.map((word) => ({ word, about: '' }));

const beginning = (current: string, suggestions: readonly Suggestion[]): Suggestion[] =>
  suggestions.filter(({ word }) => word.startsWith(current));
