import { HttpProblem } from '../problem.js';

export const challenge = 'Bearer realm="slipway"';

/** What stands behind `Authorization: Bearer`. Another scheme is no token at all. */
export function readBearer(authorization: string | undefined): string {
  const token = /^Bearer +(\S.*)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (token !== undefined) return token;
  throw new HttpProblem(401, 'a token is needed: send the header "Authorization: Bearer …"', {
    headers: { 'www-authenticate': challenge },
  });
}
