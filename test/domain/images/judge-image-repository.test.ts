import { describe, expect, test } from '@jest/globals';

import { judgeImageRepository } from '../../../src/domain/images/judge-image-repository.js';

describe('what an ImageRepository asks for', () => {
  test('its own tags come first, then those that others want, each once', () => {
    expect(
      judgeImageRepository(
        { repository: 'quay.io/team/app', tags: ['stable', 'edge', 'stable'], intervalSeconds: 90 },
        ['v2', 'edge', 'v1'],
      ),
    ).toEqual({
      kind: 'valid',
      value: {
        name: { registry: 'quay.io', repository: 'team/app' },
        tags: ['stable', 'edge', 'v1', 'v2'],
        intervalMs: 90_000,
      },
    });
  });

  test('an interval and tags may be left out', () => {
    expect(judgeImageRepository({ repository: 'nginx' }, [])).toMatchObject({
      kind: 'valid',
      value: { tags: [], intervalMs: 60_000 },
    });
  });

  test("another's mistake is not this object's", () => {
    expect(judgeImageRepository({ repository: 'nginx' }, ['not a tag', 'good'])).toMatchObject({
      kind: 'valid',
      value: { tags: ['good'] },
    });
  });

  test.each([
    [{ repository: 'Nginx' }, 'spec.repository: "Nginx" is not a repository: '],
    [{ repository: 'nginx:1' }, 'spec.repository: "nginx:1" is not a repository: '],
    [{ repository: 'nginx', tags: ['good', 'not good'] }, 'spec.tags[1]: the tag "not good" must'],
    [{ repository: 'nginx', intervalSeconds: 4 }, 'spec.intervalSeconds: must be 5 or more'],
    [{ repository: 'nginx', intervalSeconds: NaN }, 'spec.intervalSeconds: must be 5 or more'],
  ])('%j names the field that is wrong', (spec, problem) => {
    expect(judgeImageRepository(spec, [])).toEqual({
      kind: 'invalid',
      problem: expect.stringContaining(problem),
    });
  });
});
