import { z } from 'zod';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const;

const address = z.string().regex(/^(\[[0-9a-fA-F:]+\]|[^:\s]+):\d{1,5}$/, 'must be HOST:PORT');

const flag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0'])], { error: 'must be true or false' })
  .transform((value) => value === true || value === 'true' || value === '1');

const schema = z.strictObject({
  kubeconfig: z.string().min(1, 'must be a path').optional(),
  context: z.string().min(1, 'must be a name').optional(),
  clusterName: z
    .string()
    .regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/, 'may have letters, digits, ".", "_", "-"')
    .optional(),
  dropIn: flag.default(false),
  httpAddress: address.optional(),
  temporal: address.optional(),
  logLevel: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
});

export type WorkerConfig = z.infer<typeof schema>;

/** Each setting's flag and environment variable; a flag wins. */
export const workerSettings: Readonly<
  Record<keyof WorkerConfig, { readonly flag: string; readonly variable?: string }>
> = {
  kubeconfig: { flag: '--kubeconfig' },
  context: { flag: '--context' },
  clusterName: { flag: '--cluster-name', variable: 'SLIPWAY_CLUSTER_NAME' },
  dropIn: { flag: '--drop-in', variable: 'SLIPWAY_DROP_IN' },
  httpAddress: { flag: '--http-address', variable: 'SLIPWAY_HTTP_ADDRESS' },
  temporal: { flag: '--temporal' },
  logLevel: { flag: '--log-level', variable: 'SLIPWAY_LOG_LEVEL' },
};

export class WorkerConfigError extends Error {
  override readonly name = 'WorkerConfigError';
}

/** Joins flags and environment. All mistakes are named at once, a line each. */
export function readWorkerConfig(
  flags: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): WorkerConfig {
  const values: Record<string, unknown> = {};
  const origins: Record<string, string> = {};
  for (const [name, { flag: flagName, variable }] of Object.entries(workerSettings)) {
    const fromEnvironment = variable === undefined ? undefined : environment[variable];
    const value = flags[name] ?? (fromEnvironment === '' ? undefined : fromEnvironment);
    if (value === undefined) continue;
    values[name] = value;
    origins[name] = flags[name] === undefined ? (variable ?? flagName) : flagName;
  }
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return `${origins[name] ?? name}: ${message}, not ${JSON.stringify(values[name])}`;
  });
  throw new WorkerConfigError(lines.join('\n'));
}
