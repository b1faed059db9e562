/** Lets through what every session asks for again and again: reading the workspace, and the project's own checks. */
export const FEWER_PROMPTS = `# Fewer prompts: reading the workspace, and the project's own tests, linters and builds, pass.
# Files that look as if they held secrets never do.
rules:
  - name: workspace-reads
    match:
      access: read
      path: "{workspace}/**"
    except:
      path: "{secret}"
    answer: allow

  - name: project-commands
    match:
      cwd: "{workspace}/**"
      command:
        # What such a command is joined with
        - cd <words>
        - head
        - head -* <words>
        - head -n <words>
        - tail
        - tail -* <words>
        - tail -n <words>
        - grep <words>
        - grep -E <words>
        - grep -i <words>
        - grep -v <words>
        - grep -n <words>
        - echo <words>
        - wc -l
        # Node
        - npm test
        - npm test -- <words>
        - npm run test
        - npm run test -- <words>
        - "npm run test:*"
        - npm run lint
        - "npm run lint:*"
        - npm run build
        - "npm run build:*"
        - npm run typecheck
        - npm run check
        - npm run format
        - pnpm test
        - pnpm test <words>
        - pnpm lint
        - pnpm build
        - pnpm typecheck
        - pnpm run test
        - pnpm run lint
        - pnpm run build
        - pnpm run typecheck
        - yarn test
        - yarn test <words>
        - yarn lint
        - yarn build
        - yarn typecheck
        - bun test
        - bun test <words>
        - bun run test
        - bun run lint
        - bun run build
        - npx vitest run
        - npx vitest run <words>
        - npx jest
        - npx jest <words>
        - npx tsc --noEmit
        - npx tsc --noEmit -p <words>
        - npx eslint <words>
        - npx prettier --check <words>
        - npx biome check
        - npx biome check <words>
        - tsc --noEmit
        - deno test
        - deno lint
        - deno check <words>
        # Python
        - pytest
        - pytest <words>
        - pytest -q <words>
        - pytest -x <words>
        - pytest -v <words>
        - python -m pytest
        - python -m pytest <words>
        - python3 -m pytest
        - python3 -m pytest <words>
        - uv run pytest
        - uv run pytest <words>
        - poetry run pytest
        - poetry run pytest <words>
        - ruff check
        - ruff check <words>
        - ruff format --check <words>
        - mypy <words>
        - pyright
        - pyright <words>
        - flake8
        - flake8 <words>
        - black --check <words>
        - tox
        # Rust
        - cargo test
        - cargo test <words>
        - cargo build
        - cargo build --release
        - cargo check
        - cargo clippy
        - cargo fmt --check
        - cargo fmt -- --check
        - cargo doc
        # Go
        - go test <words>
        - go test -v <words>
        - go test -race <words>
        - go build <words>
        - go vet <words>
        - gofmt -l <words>
        # Java, .NET, Ruby, PHP, Elixir, Swift
        - ./gradlew test
        - ./gradlew build
        - ./gradlew check
        - gradle test
        - gradle build
        - mvn test
        - mvn verify
        - mvn compile
        - ./mvnw test
        - dotnet test
        - dotnet build
        - bundle exec rspec
        - bundle exec rspec <words>
        - bundle exec rubocop
        - bin/rails test
        - rake test
        - composer test
        - vendor/bin/phpunit
        - mix test
        - mix test <words>
        - swift test
        - swift build
        # Make
        - make test
        - make lint
        - make build
        - make check
        - just test
        - just lint
        - just build
    except:
      path: "{secret}"
    answer: allow
`;
