import type { LogLevel, Logger as TemporalLogger, LogMetadata } from '@temporalio/worker';
import { pino, type Logger } from 'pino';

/** JSON lines on standard output; names for people where a terminal is looking. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: { component: 'worker' },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // The SDK calls it `error`, pino `err`.
    serializers: { error: pino.stdSerializers.err },
    ...(process.stdout.isTTY
      ? { transport: { target: 'pino-pretty', options: { ignore: 'component' } } }
      : {}),
  });
}

const levels = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const;

/** What the SDK attaches to each line that is of no use to a reader. */
const noise = new Set(['taskToken', 'sdkComponent', 'attempt', 'isLocal', 'taskQueue']);

/** Sends the SDK's own lines, those of workflows among them, the same way. */
export function toTemporalLogger(logger: Logger): TemporalLogger {
  const write = (level: LogLevel, message: string, meta?: LogMetadata): void => {
    const fields = Object.entries(meta ?? {}).filter(([key]) => !noise.has(key));
    logger[levels[level]](Object.fromEntries(fields), message);
  };
  return {
    log: write,
    trace: (message, meta) => {
      write('TRACE', message, meta);
    },
    debug: (message, meta) => {
      write('DEBUG', message, meta);
    },
    info: (message, meta) => {
      write('INFO', message, meta);
    },
    warn: (message, meta) => {
      write('WARN', message, meta);
    },
    error: (message, meta) => {
      write('ERROR', message, meta);
    },
  };
}
