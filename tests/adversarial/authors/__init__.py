"""What an author of a pull request may try so that code counts nowhere, and honest changes that look like it."""
