import type { Schema, ValidationRule } from './schema.js';

/** Example: 2 or "25%". */
export const numberOrPercentage: Schema = {
  'x-kubernetes-int-or-string': true,
  maxLength: 20,
  'x-kubernetes-validations': [
    {
      rule: "type(self) == string ? self.matches('^[0-9]+%$') : self >= 0",
      message: 'must be a number of pods, 0 or more, or a percentage such as "25%"',
    },
  ],
};

/** The same, of pods that may be missing: more than all can't be. */
export const numberOrPercentageUpTo100: Schema = {
  ...numberOrPercentage,
  'x-kubernetes-validations': [
    ...(numberOrPercentage['x-kubernetes-validations'] ?? []),
    {
      rule: "type(self) != string || !self.matches('^[0-9]+%$') || self.matches('^0*(100|[0-9]{1,2})%$')",
      message: 'must not be more than 100%',
    },
  ],
};

const isZero = (value: string): string =>
  `(type(${value}) == string ? ${value}.matches('^0+%$') : ${value} == 0)`;

/** For an object with `maxSurge` and `maxUnavailable`. */
export const hasRoomToMove: ValidationRule = {
  rule: `!has(self.maxSurge) || !has(self.maxUnavailable) || !${isZero('self.maxSurge')} || !${isZero('self.maxUnavailable')}`,
  message: 'must not be 0 when maxSurge is 0, since no pod could ever be replaced',
  fieldPath: '.maxUnavailable',
};
