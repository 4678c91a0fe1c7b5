# Every check, in the environment that is active: what CI does after it has made one.
check:
    .ci/check

# The same in a new environment; `just ci --all` also in a second one, with the large extras.
ci *options:
    .ci/run {{options}}

# The documentation as a site, in site/.
docs:
    .ci/docs

# What a release would upload, made and checked in dist/.
release:
    .ci/release
