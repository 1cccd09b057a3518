import { matchesSelector } from '../shared/label-selector.js';
import type { ConfigData, Labels, PortData, TemplateData } from './config-data.js';
import type { RollbackWarning } from './report.js';
import type { GoingBack, ServiceData, ServicePortData } from './scene.js';

/**
 * Services that would find the config's pods no longer, or find pods without the port that they send to. A
 * port by number may be open without being listed, so it counts only where it was listed and is no longer; a
 * name is looked for in the list alone.
 *
 * Example: Service web sends to the port "http". It was called "web" in version 1: a warning for going back.
 */
export function findServiceRisks(
  { current, proposed, ownLabels }: GoingBack,
  services: readonly ServiceData[],
): readonly RollbackWarning[] {
  const before = podLabels(current, ownLabels);
  const after = podLabels(proposed, ownLabels);
  return services.flatMap((service): readonly RollbackWarning[] => {
    const isFoundBefore = selects(service, before);
    if (!selects(service, after)) {
      return isFoundBefore ? [warnOfLabels(service, after)] : [];
    }
    return service.ports.flatMap((port) => {
      const isListed = hasPort(current.spec.template, port);
      const isExpected = isListed || (!isFoundBefore && typeof port.targetPort === 'string');
      return isExpected && !hasPort(proposed.spec.template, port)
        ? [warnOfPort(service, port)]
        : [];
    });
  });
}

const podLabels = ({ spec }: ConfigData, ownLabels: Labels): Labels => ({
  ...spec.template.metadata?.labels,
  ...ownLabels,
});

/** A Service without a selector finds its pods in another way, or has none. */
const selects = ({ selector }: ServiceData, labels: Labels): boolean =>
  Object.keys(selector).length > 0 && matchesSelector({ matchLabels: selector }, labels);

function hasPort(template: TemplateData, { targetPort, protocol }: ServicePortData): boolean {
  return listPorts(template).some(
    ({ name, containerPort, protocol: own }) =>
      (own ?? 'TCP') === protocol &&
      (typeof targetPort === 'string' ? name === targetPort : containerPort === targetPort),
  );
}

/** Of those init containers that go on running, too. */
function listPorts({ spec }: TemplateData): readonly PortData[] {
  const sidecars = (spec?.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  );
  return [...sidecars, ...(spec?.containers ?? [])].flatMap(({ ports }) => ports ?? []);
}

function warnOfPort({ name }: ServiceData, { port, targetPort }: ServicePortData): RollbackWarning {
  const target = typeof targetPort === 'string' ? `"${targetPort}"` : String(targetPort);
  return {
    kind: 'ServicePort',
    object: `Service/${name}`,
    message: `its port ${port} sends to port ${target} of the pods, which they will no longer have`,
  };
}

function warnOfLabels({ name, selector }: ServiceData, after: Labels): RollbackWarning {
  const missing = Object.entries(selector).filter(([key, value]) => after[key] !== value);
  const labels = missing.map(([key, value]) => `${key}=${value}`).join(', ');
  return {
    kind: 'ServiceSelector',
    object: `Service/${name}`,
    message: `it selects pods with ${labels}, which they will no longer have`,
  };
}
