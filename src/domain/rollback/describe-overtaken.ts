/** Why a look at a config is of no use any more: "the version before" is another one by now. */
export const describeOvertaken = (name: string, latest: number, examined: number): string =>
  `${name} has version ${latest} by now, and was examined at version ${examined}`;
