#!/bin/sh
# The first process of the real node, in namespaces of its own for mounts and processes: whatever is mounted
# and started here ends with it.
#   start.sh <folder of the node> <kubelet> <flags of the kubelet>...
set -eu
umask 022
folder=$1
kubelet=$2
shift 2
trap 'exit 1' TERM

# The places that the kubelet, containerd and the network plugins don't let anyone choose.
mkdir -p /var/lib/kubelet /var/lib/cni
mount --bind "$folder" /var/lib/kubelet
mount --bind /var/lib/kubelet/cni /var/lib/cni
mount --bind /var/lib/kubelet/log /var/log
mount -t tmpfs -o mode=755 tmpfs /run

# Without one of the two there is no node: its end is the end of all.
{ containerd --config /var/lib/kubelet/containerd.toml || true; echo "containerd has ended"; kill -TERM 1; } &
until ctr version >/dev/null 2>&1; do sleep 0.1; done
for archive in /var/lib/kubelet/images/*.tar; do
  ctr --namespace k8s.io images import "$archive" >/dev/null
done
{ "$kubelet" "$@" || true; echo "the kubelet has ended"; kill -TERM 1; } &

# Also takes note of the end of processes whose parents have gone.
wait
