import { oldestGoName } from './explain-go-failure.js';
import { oldestGo, tools, type AnyToolName } from './tools.js';

/** What `go env -json` says. A variable that an older Go doesn't know is empty or missing. */
export interface GoSettings {
  readonly GOVERSION?: string;
  readonly GOTOOLCHAIN?: string;
  readonly GOCACHE?: string;
  readonly GOMODCACHE?: string;
}

/** Go fetches a newer Go by itself since this version, unless told to stay local. */
const fetchesItselfSince = 21;

/** Why this Go can't be used, in one sentence; undefined when it can. */
export function judgeGo(settings: GoSettings, path: string): string | undefined {
  const found = /go(\d+)\.(\d+)/.exec(settings.GOVERSION ?? '');
  // A Go built from its own sources says "devel": whoever has one knows what they are doing.
  if (found === null) return undefined;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  if (major > oldestGo.major || minor >= oldestGo.minor) return undefined;
  if (minor >= fetchesItselfSince && settings.GOTOOLCHAIN !== 'local') return undefined;
  return `${oldestGoName} or later is needed, and ${path} is ${settings.GOVERSION ?? ''}: install a newer one from https://go.dev/dl`;
}

export function explainMissingGo(names: readonly AnyToolName[]): string {
  const variables = names.map((name) => tools[name].variable).join(', ');
  return `${oldestGoName} or later is needed to build ${names.join(', ')}, and no go is on PATH: install it from https://go.dev/dl, or set ${variables} to the paths of existing binaries`;
}
