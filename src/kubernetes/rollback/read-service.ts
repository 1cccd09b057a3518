import type { ServiceData } from '../../domain/rollback/scene.js';
import type { Service } from './objects.js';

/** What decisions need of a Service. */
export function readService({ metadata, spec }: Service): ServiceData {
  return {
    name: metadata.name,
    selector: spec?.selector ?? {},
    ports: (spec?.ports ?? []).map(({ port, targetPort, protocol = 'TCP' }) => ({
      port,
      protocol,
      // Left out, it is the same as the port.
      targetPort: targetPort ?? port,
    })),
  };
}
