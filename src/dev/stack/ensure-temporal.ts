import { Connection, isGrpcServiceError } from '@temporalio/client';

import { connectTemporal, type TemporalSession } from '../../client/connect-temporal.js';
import { badInput } from '../../client/failure.js';
import { temporalCommand } from './commands.js';
import { ensurePart } from './ensure-part.js';
import { answers, loopback } from './ports.js';
import type { Session } from './session.js';

const connectWithinMs = 2_000;

/** The stack's own Temporal, with the namespace `default`. */
export async function ensureTemporal(session: Session, program: string): Promise<TemporalSession> {
  const ports = await ensurePart(session, {
    name: 'temporal',
    command: (chosen) => temporalCommand(program, session.layout, chosen),
    readyWithinMs: 60_000,
    isReady: async ({ grpc, ui }) => {
      // The client's own retries take longer than a look at the port.
      if (!(await answers(grpc)) || !(await answers(ui))) return false;
      const connection = await Connection.connect({
        address: `${loopback}:${grpc}`,
        connectTimeout: connectWithinMs,
      });
      try {
        await connection.workflowService.describeNamespace({ namespace: 'default' });
        return true;
      } finally {
        await connection.close();
      }
    },
  });
  const connection = await Connection.connect({ address: `${loopback}:${ports.grpc}` });
  return { connection, namespace: 'default' };
}

/** The user's Temporal, with the user's own settings for its namespace, key and certificates. */
export async function openOwnTemporal(address: string): Promise<TemporalSession> {
  const session = await connectTemporal({ address });
  const { connection, namespace } = session;
  try {
    await connection.workflowService.describeNamespace({ namespace });
    return session;
  } catch (error) {
    await connection.close();
    const why = isGrpcServiceError(error) ? error.details : String(error);
    throw badInput(
      `temporal: the namespace "${namespace}" at ${address} can't be used: ${why}`,
      error,
    );
  }
}
