/** Who rolls the Deployments; the order is that of the table. */
export const engineNames = ['slipway', 'built-in', 'argo'] as const;

export type EngineName = (typeof engineNames)[number];

export const engineTitles: Readonly<Record<EngineName, string>> = {
  slipway: 'Slipway',
  'built-in': 'built-in controller',
  argo: 'Argo Rollouts',
};
