# One image for every process of the Procfile: the command says which (compose.yaml). Node runs TypeScript; the portal alone is built.
ARG NODE_VERSION=26.10.0
# Of that version, for all platforms (docs/deploy/README.md): a tag may come to name another image.
ARG NODE_DIGEST=@sha256:0b36e8c136b94cd4fcf02188228e76c31ad5872eef3fec8cbd2eee500cfd9e80

FROM node:${NODE_VERSION}-alpine${NODE_DIGEST} AS packages
WORKDIR /millrace
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY portal/package.json portal/
# Without the development tools and the embedded PostgreSQL; no package that is left needs an install script.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --legacy-peer-deps --no-audit --no-fund
# What is in the image, for whoever asks it later.
COPY bin/sbom.ts bin/
RUN node bin/sbom.ts >sbom.cdx.json

FROM packages AS portal
# Optional here are the bundler's parts for each platform.
RUN npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund --workspace portal
COPY tsconfig.json .
COPY client/src client/src
COPY imports imports
COPY portal portal
RUN node portal/build.ts

FROM node:${NODE_VERSION}-alpine${NODE_DIGEST}
ENV NODE_ENV=production \
    HOST=0.0.0.0 PORT=3000 \
    ADMIN_HOST=0.0.0.0 ADMIN_PORT=9090 \
    MILLRACE_DATA=/var/lib/millrace
# Mails lie there where no SMTP_URL is set.
RUN install -d -o node -g node /var/lib/millrace
WORKDIR /millrace
COPY --from=packages /millrace/node_modules node_modules
COPY --from=packages /millrace/sbom.cdx.json ./
COPY LICENSE package.json package-lock.json Procfile ./
COPY sql sql
COPY docs docs
COPY bin bin
COPY client client
COPY imports imports
COPY lib lib
COPY server server
COPY workers workers
COPY --from=portal /millrace/portal/dist portal/dist
# What the image is built of, for the metric millrace_build_info (docs/operations.md, "Containers"). Late, since it changes with each build.
ARG MILLRACE_BUILD
ENV MILLRACE_BUILD=$MILLRACE_BUILD
USER node
# 9090 is the operators' port (metrics, readiness, queue board), without a key: publish 3000 alone.
EXPOSE 3000 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["wget", "-q", "-O", "/dev/null", "http://127.0.0.1:9090/readyz"]
CMD ["node", "--max-semi-space-size=64", "server/main.ts"]
