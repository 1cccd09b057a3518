import {
  containersOf,
  selectorOf,
  type Labels,
  type TemplateData,
  type VariableData,
} from './config-data.js';
import { cutText, describeVariables, identifyVariable, quoteVariable } from './describe-value.js';
import { isSameApplication, type Belonging } from './is-same-application.js';
import type { RollbackWarning } from './report.js';
import type { GoingBack, Neighbour } from './scene.js';

/**
 * Variables by which two parts of an application agreed, and would agree no longer.
 *
 * Two parts agree on a variable when both have it with the same value: whoever changes it in one has to change
 * it in the other. Going back breaks that when the one loses the value and the other keeps it, or when both
 * lose it and come to different ones. All that go back together are judged as they will be, so those whose
 * variables changed together, and go back together, are no news. Neither are variables that differ already.
 *
 * Example: web and db had API_PORT=1, and have API_PORT=2 now.
 *   web goes back alone                -> web has 1, db has 2: a warning that names API_PORT and db
 *   both go back                       -> web has 1, db has 1: none
 *   db has had 1 all along, web goes back -> they differ now, and no longer: none
 */
export function findEnvironmentRisks(
  member: GoingBack,
  others: readonly GoingBack[],
  neighbours: readonly Neighbour[],
): readonly RollbackWarning[] {
  const part = ofMember(member);
  return [...others.map(ofMember), ...neighbours.map(ofNeighbour)]
    .filter((other) => isSameApplication(part.belonging, other.belonging))
    .flatMap((other) => [...compareVariables(part, other), ...compareSources(part, other)]);
}

/** A part of an application, as it is and as it will be. */
interface Part {
  readonly kind: string;
  readonly name: string;
  readonly belonging: Belonging;
  readonly before: Environment;
  readonly after: Environment;
}

interface Environment {
  /** The values that each variable has in the containers. */
  readonly values: ReadonlyMap<string, Values>;
  /** Objects of which all keys are variables. */
  readonly sources: ReadonlySet<string>;
}

/** Each value as it is, for comparisons, with what may be told of it. */
type Values = ReadonlyMap<string, string>;

function ofMember({ current, proposed }: GoingBack): Part {
  const configs = [current, proposed];
  return {
    kind: 'DeploymentConfig',
    name: current.metadata.name,
    belonging: {
      labels: configs.flatMap(({ metadata, spec }) => [
        metadata.labels ?? {},
        labelsOf(spec.template),
      ]),
      selectors: configs.map(selectorOf),
    },
    before: readEnvironment(current.spec.template),
    after: readEnvironment(proposed.spec.template),
  };
}

function ofNeighbour({ kind, name, labels, selector, template }: Neighbour): Part {
  const environment = readEnvironment(template);
  const belonging = { labels: [labels, labelsOf(template)], selectors: [selector] };
  return { kind, name, belonging, before: environment, after: environment };
}

const labelsOf = ({ metadata }: TemplateData): Labels => metadata?.labels ?? {};

function readEnvironment(template: TemplateData): Environment {
  const values = new Map<string, Map<string, string>>();
  const sources = new Set<string>();
  for (const { env, envFrom } of containersOf(template)) {
    for (const variable of env ?? []) {
      const all = values.get(variable.name) ?? new Map<string, string>();
      values.set(variable.name, all.set(identifyVariable(variable), show(variable)));
    }
    for (const source of envFrom ?? []) sources.add(describeVariables(source));
  }
  return { values, sources };
}

function compareVariables(part: Part, other: Part): readonly RollbackWarning[] {
  return [...part.before.values].flatMap(([name, before]) => {
    const after = part.after.values.get(name) ?? nothing;
    const otherBefore = other.before.values.get(name) ?? nothing;
    const otherAfter = other.after.values.get(name) ?? nothing;
    const broken = [...before].find(
      ([value]) =>
        !after.has(value) &&
        otherBefore.has(value) &&
        (otherAfter.has(value) || !agree(after, otherAfter)),
    );
    if (broken === undefined) return [];
    const [value, shown] = broken;
    const own =
      after.size === 0
        ? `${name}=${shown} goes`
        : `${name} goes back from ${shown} to ${showAll(after, shown)}`;
    const others = otherAfter.has(value) ? `keeps ${shown}` : tellOther(shown, otherAfter);
    return [warn(other, `${own}, and ${nameOf(other)} ${others}`)];
  });
}

const tellOther = (shown: string, after: Values): string =>
  after.size === 0 ? 'no longer has it' : `goes back to ${showAll(after, shown)}`;

function compareSources(part: Part, other: Part): readonly RollbackWarning[] {
  return [...part.before.sources]
    .filter((source) => !part.after.sources.has(source) && other.after.sources.has(source))
    .filter((source) => other.before.sources.has(source))
    .map((source) =>
      warn(other, `it no longer has ${source} as variables, and ${nameOf(other)} keeps them`),
    );
}

const nothing: Values = new Map();

/** Two that don't have a variable agree as well. */
const agree = (a: Values, b: Values): boolean =>
  (a.size === 0 && b.size === 0) || [...a.keys()].some((value) => b.has(value));

const nameOf = ({ kind, name }: Part): string => `${kind} "${name}"`;

const warn = ({ kind, name }: Part, message: string): RollbackWarning => ({
  kind: 'Environment',
  object: `${kind}/${name}`,
  message,
});

const longestValue = 80;
const show = (variable: VariableData): string => cutText(quoteVariable(variable), longestValue);

/** Values that differ from one that was shown; what differs may be hidden. */
const showAll = (values: Values, than: string): string =>
  [...values.values()].map((shown) => (shown === than ? 'another one' : shown)).join(' and ');
