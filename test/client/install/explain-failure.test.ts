import { describe, expect, test } from '@jest/globals';

import { explainFailure } from '../../../src/client/install/install-search-attributes.js';
import { explainConnectFailure } from '../../../src/client/connect-temporal.js';
import { CommandFailure, exitCodes } from '../../../src/client/failure.js';

/** As @grpc/grpc-js makes them; the SDK knows them by these properties. */
const grpcError = (code: number, details: string): Error =>
  Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} });

const explain = (code: number, details: string): string => {
  const failure = explainFailure(grpcError(code, details), 'shop', "they can't be listed");
  expect(failure).toBeInstanceOf(CommandFailure);
  expect((failure as CommandFailure).exitCode).toBe(exitCodes.badInput);
  return (failure as CommandFailure).message;
};

describe('what Temporal answers to an install', () => {
  test('a namespace that is not there is named, with what to do', () => {
    expect(explain(5, 'Namespace shop is not found.')).toMatch(
      /^Temporal has no namespace "shop"; create it with /,
    );
  });

  test('where the API is closed, as in Temporal Cloud, the attributes to make by hand are listed', () => {
    const sentence = explain(7, 'Request unauthorized.');
    expect(sentence).toContain('"shop": Request unauthorized.; with Temporal Cloud');
    expect(sentence).toContain('SlipwayKind (KEYWORD)');
    expect(sentence).toContain('SlipwayRevision (INT)');
  });

  test("anything else keeps the server's own words", () => {
    expect(explain(3, 'cannot have more than 10 search attribute of type Keyword')).toBe(
      'they can\'t be listed in the Temporal namespace "shop": cannot have more than 10 search attribute of type Keyword',
    );
  });

  test('an error that is not from the server stays as it is', () => {
    const bug = new TypeError('x is undefined');
    expect(explainFailure(bug, 'shop', 'nothing')).toBe(bug);
  });
});

describe('a connection to Temporal that fails', () => {
  test('says that nobody answers', () => {
    const failure = explainConnectFailure(
      'nowhere:7233',
      new Error('Failed to connect before the deadline'),
    );
    expect(failure.exitCode).toBe(exitCodes.badInput);
    expect(failure.message).toBe(
      "the Temporal server at nowhere:7233 can't be reached: it did not answer within 5 s",
    );
  });

  test('says that the server refuses', () => {
    const failure = explainConnectFailure('cloud:7233', grpcError(16, 'invalid API key'));
    expect(failure.message).toBe(
      'the Temporal server at cloud:7233 refuses the connection: invalid API key',
    );
  });
});
