import { describe, expect, test } from '@jest/globals';

import { hideSecret } from '../../../src/domain/rollback/hide-secrets.js';

describe('the name of a variable', () => {
  test.each([
    'DB_PASSWORD',
    'PASSWORD',
    'db.password',
    'dbPassword',
    'PASSWORD2',
    'MYSQL_PASSWD',
    'DB_PASS',
    'CLIENT_SECRET',
    'SECRETS',
    'API_TOKEN',
    'X-Auth-Token',
    'API_KEY',
    'AWS_ACCESS_KEY_ID',
    'apiKey',
    'SSH_KEYS',
    'CREDENTIALS',
    'Authorization',
  ])('%s tells of a secret', (name) => {
    expect(hideSecret(name, 'hunter2')).toBe('(hidden)');
  });

  test.each(['API_PORT', 'MONKEY', 'KEYBOARD', 'TOKENIZER', 'COMPASS', 'BYPASS', 'S', ''])(
    '%j does not',
    (name) => {
      expect(hideSecret(name, 'hunter2')).toBe('hunter2');
    },
  );
});

test('where there is none, there is nothing to hide', () => {
  expect(hideSecret('DB_PASSWORD', '')).toBe('');
});

test.each([
  ['postgres://shop:hunter2@db:5432/shop', 'postgres://shop:(hidden)@db:5432/shop'],
  ['redis://:hunter2@cache', 'redis://:(hidden)@cache'],
  ['a=amqp://u:1@x, b=amqp://u:2@y', 'a=amqp://u:(hidden)@x, b=amqp://u:(hidden)@y'],
  ['https://example.com:8080/a@b', 'https://example.com:8080/a@b'],
  ['ssh://git@example.com', 'ssh://git@example.com'],
])('the password in a URL is hidden: %s', (value, shown) => {
  expect(hideSecret('DATABASE_URL', value)).toBe(shown);
});
