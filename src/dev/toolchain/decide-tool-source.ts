import { tools, type AnyToolName } from './tools.js';

/** What is known of one tool. What a later step of the lookup would tell is left out. */
export interface ToolSighting {
  /** The value of its environment variable, when set. */
  readonly variable?:
    | {
        readonly path: string;
        readonly isExecutable: boolean;
        /** A folder that should be beside it and is not. */
        readonly lacks?: string | undefined;
      }
    | undefined;
  readonly onPath?: { readonly path: string; readonly versionAnswer: string } | undefined;
  readonly cached?: string | undefined;
}

export type ToolSource =
  | { readonly kind: 'found'; readonly where: 'variable' | 'path' | 'cache'; readonly path: string }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'build' };

/**
 * The user's word comes first, then what the system has in the pinned version, then what an earlier
 * start has built. A binary named by its variable is used in whatever version it is.
 */
export function decideToolSource(name: AnyToolName, seen: ToolSighting): ToolSource {
  const { variable, versionAnswer } = tools[name];
  if (seen.variable !== undefined) {
    const { path, isExecutable, lacks } = seen.variable;
    if (!isExecutable) {
      return { kind: 'invalid', message: `${variable}: ${path} is not a file that can be run` };
    }
    return lacks === undefined
      ? { kind: 'found', where: 'variable', path }
      : { kind: 'invalid', message: `${variable}: ${lacks} is missing, which belongs to ${path}` };
  }
  if (seen.onPath !== undefined && versionAnswer.test(seen.onPath.versionAnswer)) {
    return { kind: 'found', where: 'path', path: seen.onPath.path };
  }
  if (seen.cached !== undefined) return { kind: 'found', where: 'cache', path: seen.cached };
  return { kind: 'build' };
}
