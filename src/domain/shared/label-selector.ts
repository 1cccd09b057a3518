/** Kubernetes' LabelSelector: every requirement must hold; an empty one selects everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelRequirement[];
}

export interface LabelRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export function matchesSelector(
  selector: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  const pairs = Object.entries(selector.matchLabels ?? {});
  return (
    pairs.every(([key, value]) => labels[key] === value) &&
    (selector.matchExpressions ?? []).every((requirement) => meets(requirement, labels))
  );
}

function meets(
  { key, operator, values = [] }: LabelRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

/** The form that list calls and the scale subresource take. Example: "app=web,tier in (a,b)". */
export function formatSelector(selector: LabelSelector): string {
  const pairs = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const requirements = (selector.matchExpressions ?? []).map(formatRequirement);
  return [...pairs, ...requirements].join(',');
}

function formatRequirement({ key, operator, values = [] }: LabelRequirement): string {
  switch (operator) {
    case 'In':
      return `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
