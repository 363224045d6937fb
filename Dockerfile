# Tollgate as an image: one executable, no Node, no package manager, no root.

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/providers/package.json packages/providers/
COPY packages/server/package.json packages/server/
COPY packages/console/package.json packages/console/
# Before the sources: this layer stays until a package changes.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build:binary && mv dist/tollgate-linux-* /tollgate \
  # A new volume begins as a copy of this folder, owner and rights included.
  && mkdir -m 700 /data

FROM debian:12-slim
COPY --from=build /tollgate /usr/local/bin/tollgate
COPY --from=build --chown=10001:10001 /data /data
USER 10001:10001
# Nothing is written outside it: the root file system can be read-only.
VOLUME /data
ENV DATA_DIR=/data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=20s CMD ["tollgate", "health"]
ENTRYPOINT ["tollgate"]
CMD ["start"]
