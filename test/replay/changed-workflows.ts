import { sleep } from '@temporalio/workflow';

/** Begins with a timer, which no recorded history does. */
export async function deployment(): Promise<void> {
  await sleep('1s');
}
