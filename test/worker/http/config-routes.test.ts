import { expect, test } from '@jest/globals';

import { ApiError } from '../../../src/kubernetes/api-error.js';
import { configRoutes, warnAll } from '../../../src/worker/http/routes/config-routes.js';
import type { ApiRequest } from '../../../src/worker/http/route.js';

test('a warning names images by what a header can carry', async () => {
  const from = { kind: 'ImageStreamTag', name: 'wéb\n€:latest' };
  const config = {
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      triggers: [
        { type: 'ImageChange', imageChangeParams: { automatic: true, containerNames: [], from } },
      ],
      template: {},
    },
  };
  const client = {
    get: ({ plural }: { plural: string }) =>
      plural === 'deploymentconfigs'
        ? Promise.resolve(config)
        : Promise.reject(new ApiError(404, 'NotFound', 'there is none')),
  };
  const gate = { admit: () => Promise.resolve({ username: 'jane' }) };
  const routes = configRoutes({ client, gate, defaultNamespace: 'shop' } as never);
  const route = routes.find(({ path }) => path === '/generateDeploymentConfigs/{name}');
  const request = { params: { name: 'web' }, query: {} } as unknown as ApiRequest;
  const answer = await route?.handle(request);
  expect(answer?.headers).toEqual({
    warning: '299 - "no version can be made yet: the image of shop/w?b??:latest is not known"',
  });
});

test('several warnings are one header, which names no more than it can carry', () => {
  expect(warnAll([])).toEqual({});
  expect(warnAll(['a "b"', 'c, d'])).toEqual({ warning: '299 - "a b", 299 - "c, d"' });
  const { warning = '' } = warnAll(Array.from({ length: 100 }, () => 'x'.repeat(89)));
  expect(warning).toMatch(/"x{89}", 299 - "and 59 more"$/);
  expect(warning.length).toBeLessThan(4_200);
});
