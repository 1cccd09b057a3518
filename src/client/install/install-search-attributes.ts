import { isGrpcServiceError, type Connection } from '@temporalio/client';

import { searchAttributes } from '../../contracts/search-attributes.js';
import { badInput, type CommandFailure } from '../failure.js';
import { planSearchAttributes, type SearchAttributePlan } from './plan-search-attributes.js';
import { waitUntil } from './wait-until.js';

/** Servers keep what they know of a namespace for a while, some for a minute. */
const usableWithinMs = 90_000;

const grpcStatus = { invalidArgument: 3, notFound: 5, permissionDenied: 7, unimplemented: 12 };

export interface SearchAttributeOptions {
  readonly connection: Connection;
  readonly namespace: string;
  readonly report: (line: string) => void;
}

/** What is missing; an attribute of another type that has one of our names is a mistake to report. */
export async function checkSearchAttributes(
  options: SearchAttributeOptions,
): Promise<SearchAttributePlan> {
  const plan = planSearchAttributes(await listAttributes(options));
  const [mistake] = plan.wrong;
  if (mistake === undefined) return plan;
  const { name, has, wants } = mistake;
  throw badInput(
    `search attribute ${name}: the Temporal namespace "${options.namespace}" has it as ${has} where ${wants} is needed; remove it there with "temporal operator search-attribute remove --name ${name}"`,
  );
}

/** Adds what is missing and returns when queries may name each of them. */
export async function installSearchAttributes(
  options: SearchAttributeOptions,
  { missing, present }: SearchAttributePlan,
): Promise<void> {
  const { connection, namespace, report } = options;
  const names = Object.keys(missing);
  if (names.length > 0) await addAttributes(options, missing);
  // Another install may have added them just now, so this is not only for those of our own.
  await waitUntil(
    `the Temporal namespace "${namespace}" accepting its new search attributes`,
    usableWithinMs,
    () => areUsable(connection, namespace),
  );
  if (present.length > 0) report(`search attributes ${present.join(', ')}: there already`);
  if (names.length > 0) report(`search attributes ${names.join(', ')}: created`);
}

async function listAttributes({
  connection,
  namespace,
}: SearchAttributeOptions): Promise<Record<string, number>> {
  try {
    const answer = await connection.operatorService.listSearchAttributes({ namespace });
    return answer.customAttributes;
  } catch (error) {
    throw explainFailure(error, namespace, "search attributes can't be listed");
  }
}

async function addAttributes(
  { connection, namespace }: SearchAttributeOptions,
  missing: Readonly<Record<string, number>>,
): Promise<void> {
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: missing });
  } catch (error) {
    throw explainFailure(
      error,
      namespace,
      `search attributes ${Object.keys(missing).join(', ')} can't be created`,
    );
  }
}

async function areUsable(connection: Connection, namespace: string): Promise<boolean> {
  const query = Object.values(searchAttributes)
    .map(({ name }) => `${name} IS NOT NULL`)
    .join(' AND ');
  try {
    await connection.workflowService.countWorkflowExecutions({ namespace, query });
    return true;
  } catch (error) {
    if (isGrpcServiceError(error) && (error.code as number) === grpcStatus.invalidArgument) {
      return false;
    }
    throw explainFailure(error, namespace, "search attributes can't be used");
  }
}

/** Exported for tests: the sentence for what Temporal answered, or the error itself when it is a bug. */
export function explainFailure(error: unknown, namespace: string, what: string): unknown {
  if (!isGrpcServiceError(error)) return error;
  const code = error.code as number;
  if (code === grpcStatus.notFound) {
    return badInput(
      `Temporal has no namespace "${namespace}"; create it with "temporal operator namespace create --namespace ${namespace}" or name another`,
      error,
    );
  }
  if (code === grpcStatus.permissionDenied || code === grpcStatus.unimplemented) {
    return describeByHand(error.details, namespace, what);
  }
  return badInput(`${what} in the Temporal namespace "${namespace}": ${error.details}`, error);
}

/** Temporal Cloud lets nobody do it by this API. */
function describeByHand(details: string, namespace: string, what: string): CommandFailure {
  const list = Object.values(searchAttributes).map(({ name, type }) => `${name} (${type})`);
  return badInput(
    `${what} in the Temporal namespace "${namespace}": ${details}; with Temporal Cloud, create them in its UI: ${list.join(', ')}`,
  );
}
