import { expect, test } from '@jest/globals';

import {
  explainConnectionFailure,
  nonsense,
  refused,
  toProblem,
} from '../../src/registry/registry-failure.js';

const failureOf = (fields: object): Error => Object.assign(new Error('hidden details'), fields);

test.each([
  [{ code: 'ECONNREFUSED' }, 'unreachable', true, 'the connection was refused'],
  [{ code: 'ENOTFOUND' }, 'unreachable', false, 'its host name is unknown'],
  [{ code: 'EAI_AGAIN' }, 'unreachable', true, "its host name can't be looked up"],
  [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'unreachable', true, 'it did not answer in time'],
  [{ code: 'UND_ERR_HEADERS_TIMEOUT' }, 'unreachable', true, 'it did not answer in time'],
  [{ code: 'EHOSTUNREACH' }, 'unreachable', true, 'there is no way to its network'],
  [{ code: 'UND_ERR_SOCKET' }, 'unreachable', true, 'it closed the connection'],
  [{ code: 'CERT_HAS_EXPIRED' }, 'unreachable', false, 'not trusted (CERT_HAS_EXPIRED)'],
  [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'unreachable', false, 'is not trusted'],
  [{ code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }, 'unreachable', false, 'is not trusted'],
  [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'unreachable', false, 'it does not speak TLS'],
  [{ code: 'HPE_INVALID_CONSTANT' }, 'nonsense', false, 'what it answers is not HTTP'],
  [{ name: 'HTTPParserError' }, 'nonsense', false, 'what it answers is not HTTP'],
  [{ cause: { code: 'ECONNREFUSED' } }, 'unreachable', true, 'the connection was refused'],
  [{ code: 'EWHATEVER' }, 'unreachable', true, 'the connection failed (EWHATEVER)'],
  [{}, 'unreachable', true, 'the connection failed (Error)'],
])('%j', (fields, kind, mayPass, why) => {
  const failure = explainConnectionFailure(failureOf(fields));
  expect(failure).toMatchObject({ kind, again: { mayPass } });
  expect(failure.message).toContain(why);
  expect(failure.message).not.toContain('hidden');
});

test('the sentence names the registry and the repository', () => {
  const name = { registry: 'quay.io', repository: 'team/app' };
  expect(toProblem(refused('it answers 403'), name)).toEqual({
    kind: 'refused',
    problem: 'quay.io refuses to tell about team/app: it answers 403',
  });
  expect(toProblem(nonsense('it answers 418'), name).problem).toBe(
    'there is no usable answer about quay.io/team/app: it answers 418',
  );
});
