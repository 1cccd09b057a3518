import { compareConfigs } from './compare-configs.js';
import type { ConfigData } from './config-data.js';
import { cutText } from './describe-value.js';
import type { FieldChange, RollbackWarning } from './report.js';
import type { RollbackWish } from './wish.js';

/** The latest version of a config that tells what it was. */
export interface Deployed {
  readonly version: number;
  readonly config: ConfigData;
}

/** As many changes are told one by one; a report is kept in a run's history. */
const mostChanges = 8;
const longestValue = 80;

/**
 * What somebody has edited since the latest version, and no version was made of, in the parts that do not go
 * back: the next version has it, though nobody has seen it run. Sizes and triggers are not among it: they are in
 * force as soon as they are written.
 *
 * Example: version 3 runs a; b was applied while triggers were suspended. Going back with the configuration
 * alone deploys b: a warning that names the image.
 */
export function findUndeployed(
  { version, config }: Deployed,
  proposed: ConfigData,
  wish: Pick<RollbackWish, 'application' | 'config'>,
): readonly RollbackWarning[] {
  const changes = compareConfigs(keptParts(config, wish), keptParts(proposed, wish));
  if (changes.length === 0) return [];
  const told = changes.slice(0, mostChanges).map(describeChange);
  const rest = changes.length - told.length;
  const all = [...told, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return [
    {
      kind: 'Undeployed',
      object: `DeploymentConfig/${proposed.metadata.name}`,
      message: `what was edited since version ${version} stays, and is deployed with it: ${all}`,
    },
  ];
}

function keptParts(
  { spec: { template, selector, strategy } }: ConfigData,
  { application, config }: Pick<RollbackWish, 'application' | 'config'>,
): { readonly metadata: object; readonly spec: object } {
  const ofApplication = application ? {} : { template, selector };
  return { metadata: {}, spec: { ...ofApplication, ...(config ? {} : { strategy }) } };
}

/** Example: spec.template.spec.containers[web].image (shop/web:1 → shop/web:2) */
const describeChange = ({ field, from, to }: FieldChange): string =>
  `${field} (${show(from)} → ${show(to)})`;

const show = (value: string | undefined): string =>
  value === undefined ? 'none' : cutText(value, longestValue);
