import { z } from 'zod';

import type { ConfigKey } from '../../../kubernetes/deployment-configs/config-view.js';
import type { DeploymentConfig } from '../../../kubernetes/deployment-configs/objects.js';
import { HttpProblem, invalidField } from '../problem.js';

const needed = { error: 'is needed' };

/** Only what is looked at here; the rest is for the apiserver to judge. */
const schema = z.looseObject(
  {
    apiVersion: z
      .literal('apps.openshift.io/v1', { error: 'must be apps.openshift.io/v1' })
      .optional(),
    kind: z.literal('DeploymentConfig', { error: 'must be DeploymentConfig' }).optional(),
    metadata: z.looseObject(
      {
        name: z.string(needed),
        namespace: z.string({ error: 'must be a text' }).optional(),
        resourceVersion: z
          .string({ error: 'is needed: it says which state of the config this was made from' })
          .min(1, 'is needed: it says which state of the config this was made from'),
        annotations: z
          .record(z.string(), z.string(), { error: 'must be texts by their names' })
          .nullish(),
      },
      needed,
    ),
    spec: z.looseObject({}, needed),
    status: z
      .looseObject(
        {
          latestVersion: z
            .number({ error: 'must be a number' })
            .int('must be a whole number')
            .optional(),
          details: z
            .looseObject(
              {
                causes: z
                  .array(z.looseObject({}, { error: 'must be an object' }), {
                    error: 'must be a list',
                  })
                  .nullish(),
              },
              { error: 'must be an object' },
            )
            .nullish(),
        },
        { error: 'must be an object' },
      )
      .nullish(),
  },
  { error: 'must be a DeploymentConfig' },
);

/** What somebody sends to be saved under this key. */
export function readConfigBody(body: unknown, { namespace, name }: ConfigKey): DeploymentConfig {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const causes = parsed.error.issues.map(({ path, message }) => ({
      field: path.join('.') || 'body',
      message,
    }));
    const sentence = causes.map(({ field, message }) => `${field}: ${message}`).join('; ');
    throw new HttpProblem(422, sentence, { causes });
  }
  const { metadata } = parsed.data;
  if (metadata.name !== name)
    throw invalidField('metadata.name', `must be "${name}" as in the path`);
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw invalidField('metadata.namespace', `must be "${namespace}" as in the request`);
  }
  return body as DeploymentConfig;
}

/**
 * Whether a config that is to be saved asks for a new version, which is the one after the latest.
 * Other numbers are refused: versions only go forward, one by one.
 */
export function asksForVersion(sent: DeploymentConfig, current: DeploymentConfig): boolean {
  const latest = current.status?.latestVersion ?? 0;
  const wanted = sent.status?.latestVersion ?? latest;
  if (wanted === latest) return false;
  if (wanted !== latest + 1) {
    throw invalidField(
      'status.latestVersion',
      `must be ${latest}, as it is, or ${latest + 1} for a new version`,
    );
  }
  if ((sent.status?.details?.causes ?? []).length === 0) {
    throw invalidField('status.details.causes', 'a new version needs a cause');
  }
  return true;
}
