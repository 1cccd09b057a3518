/** In characters: enough for the last few lines, and little enough for an event and an annotation. */
export const longestTail = 400;

/**
 * The end of a log, in which the reason of a failure is: as much as there is room for, in whole lines. A last
 * line that is longer than that keeps its end.
 */
export function cutTail(text: string, most = longestTail): string {
  const characters = Array.from(text.trim());
  if (characters.length <= most) return characters.join('');
  const kept = characters.slice(-most);
  const isWhole = characters.at(-most - 1) === '\n';
  return kept.slice(isWhole ? 0 : kept.indexOf('\n') + 1).join('');
}
