# The command line and the worker: `docker run slipway worker`, `docker run slipway install`.
#
# Debian's slim image, because the Temporal SDK's native module needs glibc, and Node 24, because it is
# maintained until April 2028; Node 20, the oldest that Slipway runs on, is no longer.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No scripts: "prepare" would build before the sources are here, and no dependency needs one.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts
# Takes out more than half: the SDK's native module for other platforms, types, and source maps.
RUN cd node_modules/@temporalio/core-bridge/releases \
  && find . -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
  && find /app/node_modules -type f -regex '.*[.]\(map\|[cm]?ts\)' -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY deploy deploy
COPY --from=build /app/dist dist
# By number, so that Kubernetes can tell that it is not root.
USER 1000:1000
EXPOSE 8080
# Node itself gets the signals; the worker ends gracefully on SIGTERM.
ENTRYPOINT ["node", "--enable-source-maps", "/app/dist/client/main.js"]
CMD ["worker"]
