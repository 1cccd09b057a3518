/** Who has written a pod template, as far as that can be told. */
export interface Author {
  /** The user, as the cluster knows them, where they said so. */
  readonly by?: string;
  /** The program that wrote it, by the name that it gives itself. */
  readonly manager?: string;
  /** Why, in their own words. */
  readonly reason?: string;
}

/** The name that Slipway's programs give themselves. */
export const ourselves = 'slipway';

/** Who asks by a run that does not say who started it. */
export const someWorkflow = 'a workflow';
