# The local service as a container, to try it: see packages/local/README.md. Not for production.
FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm run --silent release -- --pack

FROM node:24-slim
COPY --from=build /src/dist/release/*-local-*.tgz /tmp/local.tgz
RUN npm install --global --no-audit --no-fund /tmp/local.tgz && rm /tmp/local.tgz && install --directory --owner=1000 --mode=700 /data
USER 1000
WORKDIR /data
VOLUME /data
# The API with the explorer, and sign-in.
EXPOSE 4600 4601
HEALTHCHECK --interval=10s --start-period=60s CMD ["node", "--eval", "fetch('http://127.0.0.1:4600/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tributary-local", "--host", "0.0.0.0", "--data", "/data/stores", "--credentials", "/data/credentials.json"]
