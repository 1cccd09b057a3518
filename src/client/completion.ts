import type { Command } from 'commander';

import { clusterSources } from './completion-sources.js';
import { completeWords, files, type Suggestion } from './complete-words.js';

/** Nobody waits longer than this for a shell to complete a word. */
const answerWithinMs = 5_000;

/**
 * What the completion scripts call: prints a line for each word that fits, with a description after a
 * tab. Whatever goes wrong, it prints nothing, because it would be printed into the user's command line.
 */
export async function printCompletions(program: Command, words: readonly string[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<readonly Suggestion[]>((resolve) => {
    timer = setTimeout(resolve, answerWithinMs, []);
  });
  try {
    const found = await Promise.race([completeWords(program, words, clusterSources), tooLate]);
    process.stdout.write(formatCompletions(found));
  } catch {
    // No suggestion is the right answer to every error here.
  } finally {
    clearTimeout(timer);
  }
}

export function formatCompletions(found: readonly Suggestion[] | typeof files): string {
  if (found === files) return ':files\n';
  return found.map(({ word, about }) => `${word}\t${about.split('\n')[0] ?? ''}\n`).join('');
}
