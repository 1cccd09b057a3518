import { HttpProblem } from './problem.js';
import type { Route } from './route.js';

export type RouteMatch =
  | {
      readonly kind: 'found';
      readonly route: Route;
      readonly params: Readonly<Record<string, string>>;
    }
  /** The path is known, with these methods only. */
  | { readonly kind: 'other-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'none' };

/** The route for a path as it stands in the request, without its query. */
export function findRoute(
  routes: readonly Route[],
  method: string | undefined,
  path: string,
): RouteMatch {
  const segments = path.split('/');
  const matches = routes.flatMap((route) => {
    const params = matchSegments(route.path.split('/'), segments);
    return params === undefined ? [] : [{ route, params }];
  });
  const found = matches.find(({ route }) => route.method === method);
  if (found !== undefined) return { kind: 'found', ...found };
  const allowed = [...new Set(matches.map(({ route }) => route.method))].sort();
  return allowed.length === 0 ? { kind: 'none' } : { kind: 'other-method', allowed };
}

/** Example: /deploymentConfigs/{name} -> name */
export function paramNames(path: string): readonly string[] {
  return path.split('/').flatMap((segment) => paramName(segment) ?? []);
}

const paramName = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    const name = paramName(expected);
    if (name === undefined) {
      if (segment !== expected) return undefined;
    } else if (segment === '') return undefined;
    else params[name] = decode(segment);
  }
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpProblem(400, 'the path has a "%" that encodes nothing');
  }
}
